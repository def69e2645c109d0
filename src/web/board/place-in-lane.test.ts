import assert from "node:assert/strict";
import { test } from "node:test";
import { placeInLane } from "./place-in-lane.ts";

const lane = [1, 2, 3, 4, 5];

test("a card goes directly after the shown card above it", () => {
  assert.deepEqual(placeInLane(lane, lane, 9, 2), { rank_before_id: 2 });
  assert.deepEqual(placeInLane(lane, lane, 5, 1), { rank_before_id: 1 });
});

test("at the top of the lane there is no card above", () => {
  assert.deepEqual(placeInLane(lane, lane, 3, 0), { rank_after_id: 1 });
});

test("at the top of the shown cards, a card goes after the hidden card above them", () => {
  assert.deepEqual(placeInLane(lane, [3, 5], 9, 0), { rank_before_id: 2 });
});

test("hidden cards between two shown ones stay after the moved card", () => {
  assert.deepEqual(placeInLane(lane, [2, 5], 9, 1), { rank_before_id: 2 });
});

test("a card goes to the end of a lane without shown cards", () => {
  assert.deepEqual(placeInLane(lane, [], 9, 0), { rank_before_id: 5 });
  assert.deepEqual(placeInLane([], [], 9, 0), {});
});

test("a card is not its own neighbor", () => {
  assert.deepEqual(placeInLane([1, 2], [2], 2, 0), { rank_before_id: 1 });
  assert.deepEqual(placeInLane([2], [2], 2, 0), {});
});
