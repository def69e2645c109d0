import assert from "node:assert/strict";
import { test } from "node:test";
import { Overload, StoringPace } from "./overload.ts";

/** Storing an event takes this many milliseconds. */
function paced(ms: number) {
  const pace = new StoringPace();
  pace.measure(100, ms / 10);
  return new Overload(pace);
}

const queueOf = (counts: Record<number, number>) => ({
  size: Object.values(counts).reduce((sum, count) => sum + count, 0),
  sizeOf: (projectId: number) => counts[projectId] ?? 0,
});

const paused = (overload: Overload, counts: Record<number, number>) => [
  ...overload.paused(new Map(Object.entries(counts).map(([id, count]) => [Number(id), count]))),
];

test("events are kept as long as storing the waiting ones takes less than half a second", () => {
  const overload = paced(2);
  assert.deepEqual(paused(overload, { 1: 250 }), []);
  assert.deepEqual(paused(overload, { 1: 251 }), [1]);
});

test("only projects with at least as many waiting events as the average one are affected", () => {
  assert.deepEqual(paused(paced(2), { 1: 200, 2: 20, 3: 100 }), [1]);
  assert.deepEqual(paused(paced(2), { 1: 150, 2: 150 }), [1, 2]);
});

test("events are refused when storing the waiting ones takes two seconds, or a second for one project", () => {
  const overload = paced(1);
  assert.equal(overload.refuses(1, queueOf({ 1: 999, 2: 100 })), false);
  assert.equal(overload.refuses(1, queueOf({ 1: 1_000, 2: 100 })), true);
  assert.equal(overload.refuses(2, queueOf({ 1: 1_000, 2: 100 })), false);
  assert.equal(overload.refuses(3, queueOf({ 1: 1_000, 2: 1_000 })), true);
});

test("a few waiting events are stored as always, however long the last batch took", () => {
  const overload = paced(1_000);
  assert.deepEqual(paused(overload, { 1: 100 }), []);
  assert.equal(overload.refuses(1, queueOf({ 1: 199 })), false);
});

test("the pace is measured at the last large batches", () => {
  const pace = new StoringPace();
  const first = pace.msPerEvent;
  pace.measure(1, 5);
  assert.equal(pace.msPerEvent, first);
  pace.measure(100, 10);
  assert.equal(pace.msPerEvent, 100);
  for (let n = 0; n < 30; n++) pace.measure(200, 0.02);
  assert.ok(pace.msPerEvent < 0.2, String(pace.msPerEvent));
});
