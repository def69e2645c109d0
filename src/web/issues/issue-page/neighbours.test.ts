import assert from "node:assert/strict";
import { test } from "node:test";
import { beside } from "./neighbours.ts";

const list = [{ id: 5 }, { id: 3 }, { id: 9 }];

test("neighbours are those of the list's own order", () => {
  assert.deepEqual(beside(list, 3), { previous: { id: 5 }, next: { id: 9 }, place: 2, of: 3 });
});

test("the ends have one neighbour, and what is not in the list none", () => {
  assert.equal(beside(list, 5)?.previous, undefined);
  assert.equal(beside(list, 9)?.next, undefined);
  assert.equal(beside(list, 4), undefined);
});
