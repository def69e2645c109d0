import assert from "node:assert/strict";
import { test } from "node:test";
import { velocityOf } from "./velocity.ts";

const issue = (minutes: number | null, closed = true) => ({
  estimated_minutes: minutes,
  closed_at: closed ? "2026-11-17T09:00:00.000000Z" : null,
});
const SPRINTS = [
  { name: "Two", issues: [issue(60), issue(null), issue(600, false)] },
  { name: "One", issues: [issue(30)] },
];

test("velocity counts closed issues, or their estimates, per sprint and on average", () => {
  assert.deepEqual(velocityOf(SPRINTS, "issues"), {
    each: [
      { name: "Two", size: 2 },
      { name: "One", size: 1 },
    ],
    average: 1.5,
  });
  assert.equal(velocityOf(SPRINTS, "minutes")?.average, 45);
});

test("without closed sprints there is no velocity", () => {
  assert.equal(velocityOf([], "issues"), undefined);
});
