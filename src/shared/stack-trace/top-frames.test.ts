import assert from "node:assert/strict";
import { test } from "node:test";
import { topFrames } from "./top-frames.ts";

const functionsOf = (trace: string) => topFrames(trace).map((frame) => frame.function);

test("the top frames are the one that threw and the first one of the app", () => {
  const trace = `#0 /srv/vendor/laravel/Arr.php(605): array_map()
#1 /srv/app/Total.php(88): Total->of()
#2 /srv/app/Cart.php(12): Cart->sum()`;
  assert.deepEqual(functionsOf(trace), ["array_map", "Total->of"]);
});

test("an app's frame that threw is returned once", () => {
  assert.deepEqual(functionsOf("    at total (/app/order.js:10:5)\n    at run (/app/main.js:2:1)"), [
    "total",
  ]);
});

test("the top frame of a Python trace is its last one", () => {
  const trace = `Traceback (most recent call last):
  File "/app/main.py", line 3, in run
    total()
  File "/app/order.py", line 12, in total
    raise ValueError()`;
  assert.deepEqual(functionsOf(trace), ["total"]);
});

test("a text without frames has none", () => {
  assert.deepEqual(topFrames("Out of memory"), []);
});
