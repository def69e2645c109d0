import assert from "node:assert/strict";
import { test } from "node:test";
import { placeInLane } from "./place-in-lane.ts";

const lane = [1, 2, 3, 4, 5];

test("a card goes right behind the one that is shown above it", () => {
  assert.deepEqual(placeInLane(lane, lane, 9, 2), { rank_before_id: 2 });
  assert.deepEqual(placeInLane(lane, lane, 5, 1), { rank_before_id: 1 });
});

test("at the top of the lane there is none above", () => {
  assert.deepEqual(placeInLane(lane, lane, 3, 0), { rank_after_id: 1 });
});

test("at the top of what is shown it goes behind the hidden one above", () => {
  assert.deepEqual(placeInLane(lane, [3, 5], 9, 0), { rank_before_id: 2 });
});

test("neighbours are those of the whole lane: a filter that shows two of five does not bring them together", () => {
  assert.deepEqual(placeInLane(lane, [2, 5], 9, 1), { rank_before_id: 2 });
});

test("where nothing is shown it goes to the lane's end, and in an empty lane nowhere else", () => {
  assert.deepEqual(placeInLane(lane, [], 9, 0), { rank_before_id: 5 });
  assert.deepEqual(placeInLane([], [], 9, 0), {});
});

test("a card is not its own neighbour", () => {
  assert.deepEqual(placeInLane([1, 2], [2], 2, 0), { rank_before_id: 1 });
  assert.deepEqual(placeInLane([2], [2], 2, 0), {});
});
