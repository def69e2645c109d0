import assert from "node:assert/strict";
import { test } from "node:test";
import { provideLocalStorage } from "../../../test/support/local-storage.ts";
import { saveDraft, readDraft } from "./report-draft.ts";

test("a draft is stored per person and project and deleted when it is empty", () => {
  const entries = provideLocalStorage();
  saveDraft(5, 1, { title: "Cart", description: "Empty" });
  assert.deepEqual(readDraft(5, 1), { title: "Cart", description: "Empty" });
  assert.deepEqual(readDraft(5, 2), { title: "", description: "" });
  assert.deepEqual(readDraft(6, 1), { title: "", description: "" });
  saveDraft(5, 1, { title: "", description: "" });
  assert.equal(entries.size, 0);
});
