import assert from "node:assert/strict";
import { test } from "node:test";
import { allRows, foldFrames } from "./fold-frames.ts";
import type { TraceEntry } from "./parse-trace.ts";

/** a: of the program, v: of a library, t: text. */
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

test("neighbouring frames of libraries are one row; text and the program's own part them", () => {
  assert.deepEqual(short(foldFrames(trace("avvvatvv"), new Set())), ["a", 3, "a", "t", 2]);
});

test("a single frame of a library stays", () => {
  assert.deepEqual(short(foldFrames(trace("ava"), new Set())), ["a", "v", "a"]);
});

test("what was unfolded stays so, the others folded", () => {
  const rows = foldFrames(trace("avvavv"), new Set([1]));
  assert.deepEqual(short(rows), ["a", "v", "v", "a", 2]);
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
});

test("all rows are the entries, in their order", () => {
  assert.deepEqual(short(allRows(trace("vvat"))), ["v", "v", "a", "t"]);
});
