import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateText, parseEstimate } from "./estimate.ts";

test("an estimate is shown in hours and minutes, 0 included", () => {
  assert.deepEqual([0, 45, 60, 150].map(estimateText), ["0m", "45m", "1h", "2h 30m"]);
});

test("an estimate can be typed in minutes, hours or both", () => {
  for (const [typed, minutes] of [
    ["", null],
    ["  ", null],
    ["0", 0],
    ["90", 90],
    ["90m", 90],
    ["90 min", 90],
    ["1.5h", 90],
    ["1,5 h", 90],
    ["2h 30m", 150],
    ["2 hours 5 minutes", 125],
  ] as const)
    assert.equal(parseEstimate(typed), minutes, typed);
});

test("invalid input and more than the server accepts are rejected", () => {
  for (const typed of ["soon", "-5", "2h 30", "1 day", "9999999999", "1e3"])
    assert.equal(parseEstimate(typed), undefined, typed);
});

test("many digits and a stray letter are rejected in linear time", () => {
  const before = performance.now();
  for (const typed of [`${"1".repeat(200_000)}x`, `${"1 ".repeat(100_000)}x`, `${"1h".repeat(100_000)}x`])
    assert.equal(parseEstimate(typed), undefined);
  assert.ok(performance.now() - before < 10_000);
});

test("the displayed form can be typed", () => {
  for (const minutes of [0, 1, 59, 60, 61, 600]) assert.equal(parseEstimate(estimateText(minutes)), minutes);
});
