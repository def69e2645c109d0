import assert from "node:assert/strict";
import { test } from "node:test";
import { conflicts, joinTexts } from "./conflict.ts";

test("there is a conflict only if the text differs from both the base and the edit", () => {
  assert.equal(conflicts({ base: "a", text: "b" }, "a"), false);
  assert.equal(conflicts({ base: "a", text: "b" }, "b"), false);
  assert.equal(conflicts({ base: "a", text: "b" }, "c"), true);
  assert.equal(conflicts({ base: "a", text: "a" }, ""), true);
});

test("joining keeps both texts and makes theirs the new base", () => {
  assert.deepEqual(joinTexts({ base: "a", text: "mine\n" }, "theirs"), {
    base: "theirs",
    text: "mine\n\ntheirs",
  });
  assert.deepEqual(joinTexts({ base: "a", text: "mine" }, ""), { base: "", text: "mine" });
});
