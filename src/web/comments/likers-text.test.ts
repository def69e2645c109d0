import assert from "node:assert/strict";
import { test } from "node:test";
import { likersText } from "./likers-text.ts";

test("the text names who likes a comment, with you first", () => {
  assert.equal(likersText([], false), undefined);
  assert.equal(likersText([], true), "You like this");
  assert.equal(likersText(["Ada Moss"], false), "Ada Moss likes this");
  assert.equal(likersText(["Ada Moss", "Ben Sato"], true), "You, Ada Moss and Ben Sato like this");
});

test("more than ten names are cut to ten and a number", () => {
  const crowd = Array.from({ length: 12 }, (_, index) => `P${index}`);
  assert.equal(likersText(crowd, false), "P0, P1, P2, P3, P4, P5, P6, P7, P8, P9 and 2 more like this");
});
