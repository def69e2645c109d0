import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lane } from "../../shared/lanes.ts";
import { isPast } from "../kit/dates/days.ts";
import { countKinds, percentDone, progressText, totalOf } from "./lane-counts.ts";

const lanes = [
  { id: 1, kind: "todo" },
  { id: 2, kind: "done" },
  { id: 3, kind: "done" },
] as Lane[];
const issue = (lane_id: number, closed_at: string | null = null) => ({ lane_id, closed_at });

test("issues are counted by the kind of their lane", () => {
  const counts = countKinds([issue(1), issue(2), issue(3), issue(1)], lanes);
  assert.deepEqual(counts, { backlog: 0, todo: 2, doing: 0, done: 2 });
  assert.equal(totalOf(counts), 4);
});

test("an issue in an unknown lane is counted as to do or done", () => {
  const counts = countKinds([issue(9), issue(9, "2026-11-01T00:00:00.000000Z")], lanes);
  assert.deepEqual(counts, { backlog: 0, todo: 1, doing: 0, done: 1 });
});

test("the progress text leaves out kinds without issues", () => {
  assert.equal(
    progressText({ backlog: 0, todo: 4, doing: 3, done: 5 }),
    "5 of 12 done, 3 in progress, 4 to do",
  );
  assert.equal(progressText({ backlog: 1, todo: 0, doing: 0, done: 0 }), "0 of 1 done, 1 in the backlog");
  assert.equal(progressText({ backlog: 0, todo: 0, doing: 0, done: 0 }), "No issues");
});

test("progress is rounded, but 100 percent only when everything is done", () => {
  assert.equal(percentDone({ backlog: 0, todo: 2, doing: 0, done: 4 }), 67);
  assert.equal(percentDone({ backlog: 0, todo: 1, doing: 0, done: 999 }), 99);
  assert.equal(percentDone({ backlog: 0, todo: 0, doing: 0, done: 7 }), 100);
  assert.equal(percentDone({ backlog: 0, todo: 0, doing: 0, done: 0 }), 0);
});

test("a day is past only once it is over; no day is never past", () => {
  assert.equal(isPast("2026-11-20", "2026-11-21"), true);
  assert.equal(isPast("2026-11-21", "2026-11-21"), false);
  assert.equal(isPast(null, "2026-11-21"), false);
});
