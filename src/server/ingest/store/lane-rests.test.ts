import assert from "node:assert/strict";
import { test } from "node:test";
import { LaneRests } from "./lane-rests.ts";

test("a lane with many items rests twice as long as its batch took if another lane was used a moment ago", () => {
  const rests = new LaneRests();
  rests.addFew(["quiet"], 0);
  assert.equal(rests.addMany(["storm"], 30, 500), 60);
});

test("a lane with many items does not rest while no other lane is in use", () => {
  const rests = new LaneRests();
  assert.equal(rests.addMany(["storm"], 30, 0), 0);
  rests.addFew(["quiet"], 0);
  assert.equal(rests.addMany(["storm"], 30, 1_001), 0, "the other is silent for a second");
});

test("a lane that has a few items only occasionally does not make others rest", () => {
  const rests = new LaneRests();
  rests.addFew(["busy"], 0);
  rests.addMany(["busy"], 30, 10);
  rests.addFew(["busy"], 20);
  assert.equal(rests.addMany(["busy"], 30, 30), 0);
});

test("two lanes with many items do not rest for each other", () => {
  const rests = new LaneRests();
  rests.addFew(["other"], 0);
  rests.addMany(["other"], 30, 10);
  assert.equal(rests.addMany(["storm"], 30, 20), 0);
});

test("a batch that took long is followed by a short rest", () => {
  const rests = new LaneRests();
  rests.addFew(["quiet"], 0);
  assert.equal(rests.addMany(["storm"], 2_000, 500), 100);
});
