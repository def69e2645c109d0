import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLine } from "./csv.ts";

const cases: [value: unknown, cell: string][] = [
  ["plain", "plain"],
  ['a "quoted", text\r\nin two lines', 'a ""quoted"", text\r\nin two lines'],
  [null, ""],
  [undefined, ""],
  [0, "0"],
  [false, "false"],
  [[1, 2], "[1,2]"],
  [{ name: "x" }, '{""name"":""x""}'],
  ["=1+1", "'=1+1"],
  ["+cmd", "'+cmd"],
  ["-cmd", "'-cmd"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["|cmd", "'|cmd"],
  ["\t=1", "'\t=1"],
  ["\r=1", "'\r=1"],
  ["-5", "-5"],
  ["+3.25", "+3.25"],
  [-5, "-5"],
  ["-5-5", "'-5-5"],
  ["1=1", "1=1"],
];

for (const [value, cell] of cases)
  test(`${JSON.stringify(value) ?? "undefined"} in a CSV file`, () =>
    assert.equal(csvLine([value, "end"]), `"${cell}","end"\r\n`));
