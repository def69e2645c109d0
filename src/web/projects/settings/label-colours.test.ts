import assert from "node:assert/strict";
import { test } from "node:test";
import { checkColour } from "./label-colours.ts";

test("the check on a colour is black or white, whichever is better seen", () => {
  assert.equal(checkColour("#ffffff"), "#000000");
  assert.equal(checkColour("#ffd700"), "#000000");
  assert.equal(checkColour("#000000"), "#ffffff");
  assert.equal(checkColour("#7a56b8"), "#ffffff");
});
