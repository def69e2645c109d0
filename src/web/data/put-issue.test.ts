import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import { isIn, withIssue } from "./put-issue.ts";

const issue = (id: number, fields: Partial<Issue> = {}) =>
  ({
    id,
    created_at: `2026-11-0${id}T00:00:00.000Z`,
    epic_id: null,
    sprint_id: null,
    assignee_id: null,
    ...fields,
  }) as Issue;

const ids = (list: readonly Issue[]) => list.map(({ id }) => id);

test("an issue comes into a list in its place, the newest first, and is there once", () => {
  const list = [issue(5), issue(3), issue(1)];
  assert.deepEqual(ids(withIssue(list, issue(6))), [6, 5, 3, 1]);
  assert.deepEqual(ids(withIssue(list, issue(2))), [5, 3, 2, 1]);
  assert.deepEqual(ids(withIssue([], issue(2))), [2]);
  assert.equal(withIssue(list, issue(3, { epic_id: 7 }))[1]?.epic_id, 7);
});

test("of those made at one time the last made is first", () => {
  const at = { created_at: "2026-11-01T00:00:00.000Z" };
  assert.deepEqual(ids(withIssue([issue(5, at), issue(1, at)], issue(3, at))), [5, 3, 1]);
});

test("which lists an issue is in is known from what they ask for", () => {
  const mine = issue(1, { assignee_id: 9, epic_id: 7 });
  assert.equal(isIn({}, mine, 9), true);
  assert.equal(isIn({ sort: "-created_at" }, mine, 9), true);
  assert.equal(isIn({ assignee_id: "me" }, mine, 9), true);
  assert.equal(isIn({ assignee_id: "me" }, mine, 8), false);
  assert.equal(isIn({ epic_id: "7" }, mine, 9), true);
  assert.equal(isIn({ sprint_id: "7" }, mine, 9), false);
  assert.equal(isIn({ sprint_id: "none" }, mine, 9), true);
});

test("words and other orders only the server knows", () => {
  assert.equal(isIn({ query: "cart" }, issue(1), 9), undefined);
  assert.equal(isIn({ sort: "rank" }, issue(1), 9), undefined);
});
