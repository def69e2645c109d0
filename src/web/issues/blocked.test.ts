import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import { byIdOf, isBlocked, projectsToAsk } from "./blocked.ts";

const issue = (id: number, fields: Partial<Issue> = {}) =>
  ({ id, project_id: 1, closed_at: null, blocked_by_ids: [], ...fields }) as unknown as Issue;
const closed = { closed_at: "2026-11-20T00:00:00.000000Z" };

test("an issue is blocked by one that is known to be open, and by no other", () => {
  const known = byIdOf([issue(1), issue(2, closed)]);
  assert.equal(isBlocked(issue(9, { blocked_by_ids: [2, 1] }), known), true);
  assert.equal(isBlocked(issue(9, { blocked_by_ids: [2] }), known), false);
  assert.equal(isBlocked(issue(9, { blocked_by_ids: [3] }), known), false);
  assert.equal(isBlocked(issue(9, { blocked_by_ids: [1], ...closed }), known), false);
});

test("a project is asked for its issues only where a blocker is not known", () => {
  const list = [
    issue(1),
    issue(2, { blocked_by_ids: [1] }),
    issue(3, { project_id: 7, blocked_by_ids: [4] }),
    issue(5, { project_id: 8, blocked_by_ids: [6], ...closed }),
  ];
  assert.deepEqual(projectsToAsk(byIdOf(list)), [7]);
});
