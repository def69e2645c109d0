import assert from "node:assert/strict";
import { test } from "node:test";
import type { Original } from "../source-maps.ts";
import { mappedTrace } from "./mapped-trace.ts";

const FILE = "https://shop.example/assets/app.js";

const originalAt = (line: number, name: string | null): Original => ({
  filename: "src/cart.ts",
  line,
  column: 5,
  function: name,
  context_line: null,
  pre_context: [],
  post_context: [],
});

const frameAt = (column: number, original?: Original) => ({
  function: "e",
  filename: FILE,
  line: 1,
  column,
  ...(original && { original }),
});

test("lines of mapped frames name the original place, and all others stay as they were sent", () => {
  const trace = [
    "TypeError: e is not a function",
    `    at e (${FILE}:1:10)`,
    `    at e (${FILE}:1:20)`,
    `    at e (${FILE}:1:30)`,
    "    at Array.map (<anonymous>)",
  ].join("\n");
  const frames = [frameAt(10, originalAt(12, "total")), frameAt(20, originalAt(30, null)), frameAt(30)];
  assert.equal(
    mappedTrace(trace, frames),
    [
      "TypeError: e is not a function",
      "    at total (src/cart.ts:12:5)",
      "    at src/cart.ts:30:5",
      `    at e (${FILE}:1:30)`,
      "    at Array.map (<anonymous>)",
    ].join("\n"),
  );
});

test("frames of Firefox and lines that end with CR are mapped", () => {
  const frames = [frameAt(10, originalAt(12, "total"))];
  assert.equal(mappedTrace(`e@${FILE}:1:10\r\n`, frames), "    at total (src/cart.ts:12:5)\n");
});

test("a trace without mapped frames is returned unchanged", () => {
  const trace = `    at e (${FILE}:1:10)\r\n`;
  assert.equal(mappedTrace(trace, [frameAt(10)]), trace);
  assert.equal(mappedTrace("", [frameAt(10, originalAt(12, "total"))]), "");
});
