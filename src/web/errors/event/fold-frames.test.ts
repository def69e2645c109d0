import assert from "node:assert/strict";
import { test } from "node:test";
import { allRows, foldFrames } from "./fold-frames.ts";
import type { TraceEntry } from "../../../shared/stack-trace/parse-trace.ts";

/** a: a frame of the app, v: a library frame, t: text. */
const trace = (letters: string): TraceEntry[] =>
  Array.from(letters, (letter) =>
    letter === "t"
      ? { kind: "text", text: "Caused by" }
      : {
          kind: "frame",
          function: letter,
          file: null,
          line: null,
          column: null,
          in_app: letter === "a",
          code: null,
        },
  );
const short = (rows: ReturnType<typeof foldFrames>) =>
  rows.map((row) => (row.kind === "folded" ? row.frames : row.kind === "text" ? "t" : row.frame.function));

test("adjacent library frames are one row; text and app frames separate them", () => {
  assert.deepEqual(short(foldFrames(trace("avvvatvv"), new Set())), ["a", 3, "a", "t", 2]);
});

test("a single library frame is not folded", () => {
  assert.deepEqual(short(foldFrames(trace("ava"), new Set())), ["a", "v", "a"]);
});

test("unfolded runs are shown, the others stay folded", () => {
  const rows = foldFrames(trace("avvavv"), new Set([1]));
  assert.deepEqual(short(rows), ["a", "v", "v", "a", 2]);
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
});

test("without folding, every entry is a row, in order", () => {
  assert.deepEqual(short(allRows(trace("vvat"))), ["v", "v", "a", "t"]);
});
