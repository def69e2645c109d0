import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceOffset } from "./source-offset.ts";

test("a click on shown text leads to the same place in its source", () => {
  assert.equal(sourceOffset("a **big** cat", "big", 1), 5);
  assert.equal(sourceOffset("one\n\n- two", "two", 3), 10);
  assert.equal(sourceOffset("it\\'s here and there", "it's here and there", 14), 15);
});

test("a click on text that its source does not contain leads to the end", () => {
  assert.equal(sourceOffset("a &copy; b", "©", 1), 10);
  assert.equal(sourceOffset("", "", 0), 0);
});
