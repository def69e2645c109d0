import assert from "node:assert/strict";
import { test } from "node:test";
import { beside, projectKeyOf } from "./neighbours.ts";

const list = ["WEB-5", "SHOP-3", "WEB-9"];

test("neighbours are those of the list's own order", () => {
  assert.deepEqual(beside(list, "SHOP-3"), { previous: "WEB-5", next: "WEB-9", place: 2, of: 3 });
});

test("the ends have one neighbour, and what is not in the list none", () => {
  assert.equal(beside(list, "WEB-5")?.previous, undefined);
  assert.equal(beside(list, "WEB-9")?.next, undefined);
  assert.equal(beside(list, "WEB-4"), undefined);
});

test("a key begins with that of its project", () => {
  assert.equal(projectKeyOf("WEB-12"), "WEB");
});
