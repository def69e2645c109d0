import assert from "node:assert/strict";
import type { KeptEvent, KeptFrame } from "../../../src/shared/kept-events.ts";

/** The lines of the shop that the error passes, the one that throws first. */
const LINES = [
  "    throw new RangeError(`the total is ${sum}`);",
  "  const net = total(items);",
  "  const { net, gross } = withTax(cart.items);",
  "    const order = checkout({ items: [...this.items, refund] });",
];

/** Their functions, without the outermost one: its name is not where it is called. */
const FUNCTIONS = ["total", "withTax", "checkout"];

/** Fails unless every frame of the bundle has its file, line, function and five lines around. */
export function checkFrames({ frames, stack_trace }: KeptEvent): void {
  const ofBundle = frames.filter(({ filename, abs_path }) => `${filename} ${abs_path}`.includes("app.mjs"));
  assert.ok(ofBundle.length >= LINES.length, stack_trace);
  for (const frame of ofBundle) checkFrame(frame);
  const ofShop = ofBundle.filter(({ original }) => original?.filename.endsWith("shop.js"));
  assert.deepEqual(
    ofShop.map(({ original }) => original?.context_line),
    LINES,
  );
  assert.deepEqual(ofShop.map(({ original }) => original?.function).slice(0, -1), FUNCTIONS);
}

function checkFrame(frame: KeptFrame) {
  const { original, unmapped, function: sent } = frame;
  assert.equal(unmapped, undefined, JSON.stringify(frame));
  assert.ok(original, JSON.stringify(frame));
  assert.ok(original.filename && original.line && (original.function ?? sent), JSON.stringify(frame));
  assert.deepEqual(
    [original.pre_context.length, original.post_context.length],
    [5, 5],
    JSON.stringify(frame),
  );
}
