import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import { parseTrace } from "../../../shared/stack-trace/parse-trace.ts";
import { originalFrame, withOriginals } from "./original-frames.ts";
import { withSentFrames } from "./sent-frames.ts";

const FILE = "https://shop.example/assets/app.js";

const minified = (column: number, filename: string, context_line: string | null = "pay();"): KeptFrame => ({
  function: "e",
  filename: FILE,
  abs_path: FILE,
  line: 1,
  column,
  in_app: true,
  context_line: "function e(){",
  original: {
    filename,
    line: 12,
    column: 5,
    function: null,
    context_line,
    pre_context: ["a"],
    post_context: ["b"],
  },
});

test("mapped frames have the original place, and those of bundled libraries are no longer the app's", () => {
  const frames = [minified(10, "src/cart.ts"), minified(20, "node_modules/react-dom/index.js")];
  const trace = [`    at e (${FILE}:1:10)`, `    at e (${FILE}:1:20)`, `    at e (${FILE}:1:30)`].join("\n");
  const { entries, appFrames } = withOriginals(withSentFrames(parseTrace(trace), frames));
  assert.deepEqual(
    entries.map((entry) => entry.kind === "frame" && [entry.file, entry.line, entry.function, entry.in_app]),
    [
      ["src/cart.ts", 12, null, true],
      ["node_modules/react-dom/index.js", 12, null, false],
      [FILE, 1, "e", true],
    ],
  );
  assert.equal(appFrames, 2);
});

test("a mapped frame has the original code lines, and none if the source text is missing", () => {
  const found = originalFrame(minified(10, "src/cart.ts"));
  assert.deepEqual(
    [found.context_line, found.pre_context, found.post_context, found.abs_path],
    ["pay();", ["a"], ["b"], undefined],
  );
  assert.equal(originalFrame(minified(10, "src/cart.ts", null)).context_line, undefined);
});

test("a frame without original code stays as it was sent", () => {
  const frame = { function: "pay", filename: "shop/cart.py", line: 7 };
  assert.equal(originalFrame(frame), frame);
});
