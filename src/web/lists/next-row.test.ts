import assert from "node:assert/strict";
import { test } from "node:test";
import { nextRow } from "./next-row.ts";

const rows = [1, 2, 3, 4, 5].map((id) => ({ id }));
const next = (index: number, ...gone: number[]) => nextRow(rows, new Set(gone), index)?.id;

test("one goes on to the first row after it that stays", () => {
  assert.equal(next(1, 2), 3);
  assert.equal(next(1, 2, 3), 4);
  assert.equal(next(-1, 7), 1);
});

test("at the end it is the last before, and nothing when nothing stays", () => {
  assert.equal(next(4, 5), 4);
  assert.equal(next(3, 3, 4, 5), 2);
  assert.equal(next(2, 1, 2, 3, 4, 5), undefined);
});
