import assert from "node:assert/strict";
import { test } from "node:test";
import { stripPaths, stripText } from "./day-strip-path.ts";

test("the highest day is as high as the strip, an empty one is a line", () => {
  const { usual, hot } = stripPaths([0, 5, 10], 30, 20);
  assert.equal(usual, "M0 20h9v-1h-9zM10 20h9v-10h-9zM20 20h9v-20h-9z");
  assert.equal(hot, "");
});

test("one event among thousands is higher than none", () => {
  assert.match(stripPaths([1, 9000], 20, 20).usual, /^M0 20h9v-2h-9z/);
});

test("hot days are drawn apart", () => {
  const { usual, hot } = stripPaths([1, 1], 20, 10, (index) => index === 1);
  assert.equal(usual, "M0 10h9v-10h-9z");
  assert.equal(hot, "M10 10h9v-10h-9z");
});

test("no days draw nothing, and no events are no full bars", () => {
  assert.equal(stripPaths([], 30, 20).usual, "");
  assert.equal(stripPaths([0], 10, 20).usual, "M0 20h9v-1h-9z");
});

test("the strip says what it shows", () => {
  assert.equal(stripText([1, 5, 0], "events"), "6 events in 3 days, at most 5 in a day, 0 on the last");
  assert.equal(stripText([0, 0], "events"), "No events in 2 days");
});
