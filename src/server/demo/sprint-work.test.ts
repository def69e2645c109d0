import assert from "node:assert/strict";
import { test } from "node:test";
import { seeded } from "./samples/seeded-random.ts";
import { planWork } from "./sprint-work.ts";
import { DAY } from "./times.ts";
import type { ProjectSetup } from "./workspace.ts";

const now = Date.parse("2026-11-18T15:00:00Z");
const kinds = ["backlog", "todo", "doing", "doing", "done"] as const;
const states = ["closed", "closed", "closed", "active", "planned"] as const;
const setup = {
  lanes: kinds.map((kind, id) => ({ id, name: kind, kind })),
  sprints: states.map((state, index) => {
    const starts = now - (6 + (3 - index) * 14) * DAY;
    return { id: index + 1, state, starts, ends: starts + 13 * DAY };
  }),
} as ProjectSetup;

// A third of the second sprint is reports and errors.
const others = (sprintId: number) => (sprintId === 2 ? 5 : 0);
const works = planWork(setup, { count: 75, total: 100, others }, now, seeded(1));
const inSprint = (id: number) => works.filter(({ sprintId }) => sprintId === id);
const closedIn = (id: number) =>
  inSprint(id).flatMap(({ stops }) => stops.filter(({ lane }) => lane.kind === "done").map(({ at }) => at));

test("the closed sprints have similar sizes, in issues and in hours", () => {
  assert.deepEqual(
    [1, 2, 3].map((id) => inSprint(id).length + others(id)),
    [11, 14, 13],
  );
  const hours = [1, 3].map((id) =>
    inSprint(id).reduce((sum, one) => sum + (one.estimatedMinutes ?? 0) / 60, 0),
  );
  for (const sum of hours) assert.ok(sum > 40 && sum < 80, String(hours));
});

test("work is closed over the days of its sprint, and part of the active sprint's work is closed", () => {
  for (const { id, starts, ends, state } of setup.sprints.slice(0, 4)) {
    const closed = closedIn(id);
    assert.ok(
      closed.every((at) => at > starts && at < ends + DAY && at < now),
      `sprint ${id}`,
    );
    assert.equal(closed.length, state === "closed" ? inSprint(id).length : 5);
    assert.ok(new Set(closed.map((at) => Math.floor(at / DAY))).size >= 3);
  }
  assert.equal(closedIn(5).length, 0);
});

test("every issue moves forward only, and not in the future", () => {
  assert.equal(works.length, 75);
  for (const { createdAt, stops } of works) {
    const times = [createdAt, ...stops.map(({ at }) => at), now];
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  }
});
