import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import type { IssueReferences } from "../data/projects/use-issue-names.ts";
import { filledSwims, swimsOf } from "./swims.ts";

const issueNames = {
  people: [
    { id: 1, name: "Ada" },
    { id: 2, name: "Bo" },
  ],
} as unknown as IssueReferences;
const of = (...assignees: (number | null)[]) => assignees.map((assignee_id) => ({ assignee_id }) as Issue);
const names = (...assignees: (number | null)[]) =>
  filledSwims(swimsOf("assignee", issueNames, of(...assignees))).map(({ name }) => name);

test("groups without cards are hidden, even the one for unassigned issues", () => {
  assert.deepEqual(names(2), ["Bo"]);
  assert.deepEqual(names(null, 1), ["Ada", "Nobody"]);
  assert.equal(swimsOf("assignee", issueNames, of(2)).length, 3);
});

test("cards of a former member keep their group", () => {
  assert.deepEqual(names(9), ["Unknown"]);
});

test("if no group has cards, the one for issues without a value remains", () => {
  assert.deepEqual(names(), ["Nobody"]);
});
