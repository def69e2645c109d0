import assert from "node:assert/strict";
import { test } from "node:test";
import { provideLocalStorage } from "../../../test/support/local-storage.ts";
import { saveDraft, readDraft } from "./report-draft.ts";

test("a draft is stored per project and deleted when it is empty", () => {
  const entries = provideLocalStorage();
  saveDraft(1, { title: "Cart", description: "Empty" });
  assert.deepEqual(readDraft(1), { title: "Cart", description: "Empty" });
  assert.deepEqual(readDraft(2), { title: "", description: "" });
  saveDraft(1, { title: "", description: "" });
  assert.equal(entries.size, 0);
});

test("a stored value that is not a draft reads as an empty one", () => {
  const entries = provideLocalStorage();
  for (const text of ["{", "null", "7", '{"title":5}']) {
    entries.set("signalbox.report-draft.1", text);
    assert.deepEqual(readDraft(1), { title: "", description: "" });
  }
});
