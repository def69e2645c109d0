import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { provideLocalStorage } from "../../../test/support/local-storage.ts";
import { draftOf, forgetDrafts, parseLike, textDraft } from "./drafts.ts";

let entries = new Map<string, string>();
beforeEach(() => {
  entries = provideLocalStorage();
});

test("a draft belongs to one person and one place", () => {
  textDraft(1, "issues:12").write("Half a thought");
  assert.equal(textDraft(1, "issues:12").read(), "Half a thought");
  assert.equal(textDraft(1, "issues:13").read(), "");
  assert.equal(textDraft(2, "issues:12").read(), "");
});

test("forgetting a person's drafts keeps those of others and everything that is not a draft", () => {
  textDraft(1, "issues:12").write("Mine");
  textDraft(1, "issues:13").write("Mine, too");
  textDraft(11, "issues:12").write("Another person's");
  entries.set("theme", '"dark"');
  forgetDrafts(1);
  assert.deepEqual([...entries.keys()], ["draft:11:issues:12", "theme"]);
});

test("fields of a draft that are missing, unknown or of another type get their empty value", () => {
  const empty = { title: "", laneId: null, labelIds: [] };
  const draft = draftOf<object>(1, "issue:1", parseLike(empty), empty);
  for (const [text, expected] of [
    ['{"title":"Cart","laneId":3,"labelIds":[1,2]}', { title: "Cart", laneId: 3, labelIds: [1, 2] }],
    ['{"title":5,"laneId":{},"labelIds":["a"],"toString":1}', empty],
    ["{}", empty],
    ["{", empty],
    ["null", empty],
    ["7", empty],
  ] as const) {
    entries.set("draft:1:issue:1", text);
    assert.deepEqual(draft.read(), expected, text);
  }
});
