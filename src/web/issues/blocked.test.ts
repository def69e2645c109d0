import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import { byIdOf, isBlocked, projectsOfUnknownBlockers } from "./blocked.ts";

const issue = (id: number, fields: Partial<Issue> = {}) =>
  ({ id, project_id: 1, closed_at: null, blocked_by_ids: [], ...fields }) as unknown as Issue;
const closed = { closed_at: "2026-11-20T00:00:00.000000Z" };

test("only a known open issue blocks another", () => {
  const known = byIdOf([issue(1), issue(2, closed)]);
  assert.equal(isBlocked(issue(9, { blocked_by_ids: [2, 1] }), known), true);
  assert.equal(isBlocked(issue(9, { blocked_by_ids: [2] }), known), false);
  assert.equal(isBlocked(issue(9, { blocked_by_ids: [3] }), known), false);
  assert.equal(isBlocked(issue(9, { blocked_by_ids: [1], ...closed }), known), false);
});

test("the issues of a project are needed only if a blocker is unknown", () => {
  const list = [
    issue(1),
    issue(2, { blocked_by_ids: [1] }),
    issue(3, { project_id: 7, blocked_by_ids: [4] }),
    issue(5, { project_id: 8, blocked_by_ids: [6], ...closed }),
  ];
  assert.deepEqual(projectsOfUnknownBlockers(byIdOf(list)), [7]);
});
