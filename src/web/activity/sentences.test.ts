import assert from "node:assert/strict";
import { test } from "node:test";
import { sentenceOf, type Names } from "./sentences.ts";

const named =
  (names: Record<number, string>) =>
  (id: number): string | undefined =>
    names[id];
const names: Names = {
  person: named({ 1: "Ada Moss", 2: "Ben Sato" }),
  lane: named({ 1: "To do", 2: "Done" }),
  sprint: named({ 1: "Week 12", 2: "Week 13" }),
  epic: named({ 1: "Checkout" }),
  label: named({ 1: "ui", 2: "slow" }),
  issue: named({ 1: "WEB-1" }),
  priority: named({ 0: "Highest", 2: "Medium" }),
  type: named({ 0: "Feature", 1: "Bug" }),
  estimate: (minutes) => `${minutes} min`,
  day: (day) => day,
};
const sentence = (kind: string, from: unknown, to: unknown) =>
  sentenceOf({ kind, from, to, actor_id: 1 }, names);

test("each change is a sentence, and 0 is a value like any other", () => {
  assert.equal(sentence("created", null, null), "created it");
  assert.equal(sentence("lane_id", 1, 2), "moved it from To do to Done");
  assert.equal(sentence("priority", 2, 0), "changed the priority from Medium to Highest");
  assert.equal(sentence("type", 0, 1), "changed the type from Feature to Bug");
  assert.equal(sentence("title", "Old", "New"), "changed the title from “Old” to “New”");
  assert.equal(sentence("description", null, null), "changed the description");
  assert.equal(sentence("estimated_minutes", null, 0), "estimated 0 min");
  assert.equal(sentence("estimated_minutes", 30, 60), "changed the estimate from 30 min to 60 min");
  assert.equal(sentence("estimated_minutes", 30, null), "removed the estimate");
});

test("an issue that an error has reopened names the error and the release", () => {
  const error = { error_group_id: 311 };
  assert.equal(
    sentence("regressed", error, { release: "4.2.1" }),
    "Error #311 happened again in 4.2.1, which reopened the issue",
  );
  assert.equal(
    sentence("regressed", error, { release: null }),
    "Error #311 happened again, which reopened the issue",
  );
});

test("an assignment names the new and the previous assignee, and says if it is the actor", () => {
  assert.equal(sentence("assignee_id", null, 2), "assigned Ben Sato");
  assert.equal(sentence("assignee_id", null, 1), "assigned themselves");
  assert.equal(sentence("assignee_id", 2, 1), "assigned themselves instead of Ben Sato");
  assert.equal(sentence("assignee_id", 2, null), "unassigned Ben Sato");
});

test("an issue is put into, moved between and taken out of sprints and epics", () => {
  assert.equal(sentence("sprint_id", null, 1), "put it into the sprint Week 12");
  assert.equal(sentence("sprint_id", 1, 2), "moved it from the sprint Week 12 to Week 13");
  assert.equal(sentence("epic_id", 1, null), "took it out of the epic Checkout");
});

test("for lists, only additions and removals are named", () => {
  assert.equal(sentence("label_ids", [1], [1, 2]), "added the label slow");
  assert.equal(sentence("label_ids", [1], [2]), "added the label slow and removed the label ui");
  assert.equal(sentence("blocked_by_ids", [], [1]), "marked it as blocked by WEB-1");
  assert.equal(sentence("blocks_ids", [1], []), "marked it as no longer blocking WEB-1");
});

test("deleted things are called deleted", () => {
  assert.equal(sentence("lane_id", 9, 2), "moved it from a deleted lane to Done");
  assert.equal(sentence("label_ids", [8, 9], []), "removed 2 deleted labels");
  assert.equal(sentence("assignee_id", 9, null), "unassigned someone");
  assert.equal(sentence("something_new", 1, 2), "changed it");
});
