import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { nameAfter, sprintsIn, sumsOf } from "./sprint-sums.ts";

const sprint = (id: number, fields: Partial<Sprint> = {}) =>
  ({ id, name: `Sprint ${id}`, state: "planned", starts_on: null, ends_on: null, ...fields }) as Sprint;

test("estimates are summed; missing ones are counted, those of 0 are not", () => {
  const lanes = [
    { id: 1, kind: "doing" },
    { id: 2, kind: "done" },
  ] as Lane[];
  const issue = (lane_id: number, estimated_minutes: number | null) =>
    ({ lane_id, estimated_minutes, closed_at: lane_id === 2 ? "2026-11-20" : null }) as Issue;
  assert.deepEqual(sumsOf([issue(1, 90), issue(1, 0), issue(2, 30), issue(1, null)], lanes), {
    counts: { backlog: 0, todo: 0, doing: 3, done: 1 },
    estimated: 120,
    estimatedDone: 30,
    unestimated: 1,
  });
});

test("planned sprints are ordered by start date, closed ones by end date, latest first", () => {
  const sprints = [
    sprint(1, { state: "closed", ends_on: "2026-10-01" }),
    sprint(2, { state: "closed", ends_on: "2026-10-15" }),
    sprint(3),
    sprint(4, { starts_on: "2026-12-01" }),
    sprint(5, { starts_on: "2026-11-23" }),
  ];
  assert.deepEqual(
    sprintsIn(sprints, "planned").map(({ id }) => id),
    [5, 4, 3],
  );
  assert.deepEqual(
    sprintsIn(sprints, "closed").map(({ id }) => id),
    [2, 1],
  );
});

test("the name of the next sprint continues that of the last", () => {
  assert.equal(nameAfter([]), "Sprint 1");
  assert.equal(nameAfter([sprint(2, { name: "Week 9" }), sprint(1, { name: "Week 7" })]), "Week 10");
  assert.equal(nameAfter([sprint(1, { name: "Beta" })]), "");
});
