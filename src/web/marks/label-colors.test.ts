import assert from "node:assert/strict";
import { test } from "node:test";
import { checkColor } from "./label-colors.ts";

test("the check mark on a color is black or white, whichever has more contrast", () => {
  assert.equal(checkColor("#ffffff"), "#000000");
  assert.equal(checkColor("#ffd700"), "#000000");
  assert.equal(checkColor("#000000"), "#ffffff");
  assert.equal(checkColor("#7a56b8"), "#ffffff");
});
