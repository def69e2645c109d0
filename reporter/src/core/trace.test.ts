import assert from "node:assert/strict";
import { test } from "node:test";
import { framesOf } from "./trace.ts";

const frames = "    at load (/app/load.js:3:9)\n    at /app/main.js:8:1";

const stacks: [what: string, stack: string, message: string, trace: string][] = [
  ["the line with class and message is removed", `Error: no\n${frames}`, "no", frames],
  ["a message of several lines is removed entirely", `Error: a\n  b\nc\n${frames}`, "a\n  b\nc", frames],
  [
    "a message that looks like a frame is removed",
    `Error: x\n    at y (z:1:1)\n${frames}`,
    "x\n    at y (z:1:1)",
    frames,
  ],
  ["a message that was changed later is removed", `Error: before\n${frames}`, "after", frames],
  ["an empty message leaves only frames", `Error\n${frames}`, "", frames],
  ["a stack without frames becomes empty", "Error: no", "no", ""],
  ["a stack without recognizable frames keeps its lines", "Error: no\n  somewhere", "no", "  somewhere"],
  ["file URLs become paths", "Error: x\n    at file:///app/a.mjs:1:2", "x", "    at /app/a.mjs:1:2"],
  [
    "a query in a frame is removed",
    "Error: x\n    at f (https://a.example/p?token=1:2:3)",
    "x",
    "    at f (https://a.example/p:2:3)",
  ],
  [
    "the names of private methods are kept",
    "Error: x\n    at Cart.#add (/app/cart.js:2:3)\n    at #run (file:///app/a.js:1:2)",
    "x",
    "    at Cart.#add (/app/cart.js:2:3)\n    at #run (/app/a.js:1:2)",
  ],
  [
    "frames of the reporter are removed",
    "Error: x\n    at handle (/app/a.js:1:2)\n    at wrapped (/app/node_modules/@signalbox/reporter/dist/index.js:9:1)\n    at run (/app/b.js:1:2)",
    "x",
    "    at handle (/app/a.js:1:2)\n    at run (/app/b.js:1:2)",
  ],
  [
    "frames of Firefox and Safari are kept",
    "load@https://a.example/l.js:3:9\n@b:1:1",
    "x",
    "load@https://a.example/l.js:3:9\n@b:1:1",
  ],
];

for (const [what, stack, message, trace] of stacks) {
  test(what, () => assert.equal(framesOf(stack, message), trace));
}

test("a stack of ten million characters is cut to 131,072 in linear time", () => {
  const began = performance.now();
  assert.ok(framesOf(`Error: x\n${"@".repeat(10_000_000)}`, "x").length <= 131_072);
  assert.ok(framesOf(`Error: x\n${"    at @?#:1:1 (\n".repeat(600_000)}`, "x").length <= 131_072);
  assert.ok(performance.now() - began < 20_000);
});
