import assert from "node:assert/strict";
import { test } from "node:test";
import { keepDraft, readDraft } from "./report-draft.ts";

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test("a draft is kept for its project, and forgotten when it is empty", () => {
  const box = storage();
  keepDraft(1, { title: "Cart", description: "Empty" }, box);
  assert.deepEqual(readDraft(1, box), { title: "Cart", description: "Empty" });
  assert.deepEqual(readDraft(2, box), { title: "", description: "" });
  keepDraft(1, { title: "", description: "" }, box);
  assert.equal(box.kept.size, 0);
});

test("what is no draft is read as an empty one", () => {
  const box = storage();
  for (const text of ["{", "null", "7", '{"title":5}']) {
    box.kept.set("signalbox.report-draft.1", text);
    assert.deepEqual(readDraft(1, box), { title: "", description: "" });
  }
});
