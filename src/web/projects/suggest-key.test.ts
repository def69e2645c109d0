import assert from "node:assert/strict";
import { test } from "node:test";
import { suggestKey } from "./suggest-key.ts";

test("a key is the initials of several words, or the start of one", () => {
  assert.equal(suggestKey("Web shop"), "WS");
  assert.equal(suggestKey("Checkout"), "CHEC");
  assert.equal(suggestKey("Bücher & Börse"), "BB");
  assert.equal(suggestKey("3D printer"), "DPRI".slice(0, 4));
});

test("a key starts with a letter, has at most ten characters, and is empty if nothing fits", () => {
  assert.equal(suggestKey("a b c d e f g h i j k l"), "ABCDEFGHIJ");
  assert.equal(suggestKey("日本"), "");
  assert.equal(suggestKey(""), "");
});
