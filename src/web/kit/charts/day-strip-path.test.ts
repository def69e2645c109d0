import assert from "node:assert/strict";
import { test } from "node:test";
import { stripPaths, stripText } from "./day-strip-path.ts";

test("the highest day fills the strip, and an empty one is a baseline", () => {
  const { usual, hot } = stripPaths([0, 5, 10], 30, 20);
  assert.equal(usual, "M0 20h9v-1h-9zM10 20h9v-10h-9zM20 20h9v-20h-9z");
  assert.equal(hot, "");
});

test("a day with one event is higher than an empty one, even among thousands", () => {
  assert.match(stripPaths([1, 9000], 20, 20).usual, /^M0 20h9v-2h-9z/);
});

test("highlighted days have a path of their own", () => {
  const { usual, hot } = stripPaths([1, 1], 20, 10, (index) => index === 1);
  assert.equal(usual, "M0 10h9v-10h-9z");
  assert.equal(hot, "M10 10h9v-10h-9z");
});

test("no days draw nothing, and days without events draw only baselines", () => {
  assert.equal(stripPaths([], 30, 20).usual, "");
  assert.equal(stripPaths([0], 10, 20).usual, "M0 20h9v-1h-9z");
});

test("the strip has a text alternative", () => {
  assert.equal(stripText([1, 5, 0], "events"), "6 events in 3 days, at most 5 in a day, 0 on the last");
  assert.equal(stripText([0, 1], "events"), "1 event in 2 days, at most 1 in a day, 1 on the last");
  assert.equal(stripText([0, 0], "events"), "No events in 2 days");
});
