import assert from "node:assert/strict";
import { test } from "node:test";
import { axisMax, axisTicks } from "./scale.ts";

test("an axis ends at the largest value, or at 1 without values", () => {
  assert.equal(axisMax([3, 265, 0]), 265);
  assert.equal(axisMax([]), 1);
});

test("ticks are round numbers up to the end of the axis", () => {
  assert.deepEqual(axisTicks(265), [0, 100, 200]);
  assert.deepEqual(axisTicks(1), [0, 1]);
  assert.deepEqual(axisTicks(13), [0, 5, 10]);
  assert.deepEqual(axisTicks(12.5), [0, 5, 10]);
  assert.deepEqual(axisTicks(1_000_000), [0, 500_000, 1_000_000]);
});

test("an axis has two to five ticks, all of them whole and none beyond its end", () => {
  for (let max = 1; max < 3_000; max += 0.5) {
    const ticks = axisTicks(max);
    assert.ok(ticks.length >= 2 && ticks.length <= 5, `${max}: ${ticks}`);
    assert.ok(ticks.every(Number.isInteger) && ticks.every((tick) => tick <= max), `${max}: ${ticks}`);
  }
});
