import assert from "node:assert/strict";
import { test } from "node:test";
import { positionIn, projectKeyOf } from "./issue-position.ts";

const list = ["WEB-5", "SHOP-3", "WEB-9"];

test("the neighbors of an issue are in the order of the list", () => {
  assert.deepEqual(positionIn(list, "SHOP-3"), { previous: "WEB-5", next: "WEB-9", position: 2, count: 3 });
});

test("the first and the last issue have one neighbor; an issue that is not in the list has none", () => {
  assert.equal(positionIn(list, "WEB-5")?.previous, undefined);
  assert.equal(positionIn(list, "WEB-9")?.next, undefined);
  assert.equal(positionIn(list, "WEB-4"), undefined);
});

test("an issue key starts with the key of its project", () => {
  assert.equal(projectKeyOf("WEB-12"), "WEB");
});
