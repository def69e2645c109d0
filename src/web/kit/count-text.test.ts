import assert from "node:assert/strict";
import { test } from "node:test";
import { unitOf } from "./count-text.ts";

test("the word after a number is singular for one", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => unitOf(count, "open errors")),
    ["open errors", "open error", "open errors"],
  );
  assert.equal(unitOf(1, "waiting"), "waiting");
});
