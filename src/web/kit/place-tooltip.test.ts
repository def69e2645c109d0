import assert from "node:assert/strict";
import { test } from "node:test";
import { placeTooltip } from "./place-tooltip.ts";

const VIEW = { width: 400, height: 300 };
const SIZE = { width: 100, height: 20 };

test("a tooltip is centered below its control", () => {
  const control = { left: 200, top: 100, width: 32, height: 32 };
  assert.deepEqual(placeTooltip(control, SIZE, VIEW, "bottom"), { left: 166, top: 138 });
});

test("a tooltip that has no room on its side is on the opposite side", () => {
  const atBottom = { left: 200, top: 260, width: 32, height: 32 };
  assert.equal(placeTooltip(atBottom, SIZE, VIEW, "bottom").top, 234);
  const atRight = { left: 360, top: 100, width: 32, height: 32 };
  assert.equal(placeTooltip(atRight, SIZE, VIEW, "right").left, 254);
});

test("a tooltip never leaves the window", () => {
  const corner = { left: 376, top: 100, width: 24, height: 24 };
  assert.equal(placeTooltip(corner, SIZE, VIEW, "bottom").left, 292);
  const everything = { left: 0, top: 0, width: 400, height: 300 };
  assert.deepEqual(placeTooltip(everything, SIZE, VIEW, "bottom"), { left: 150, top: 272 });
});
