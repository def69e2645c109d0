import assert from "node:assert/strict";
import { test } from "node:test";
import { conflicts, joined } from "./conflict.ts";

test("only another text than at the beginning, and than one's own, is a conflict", () => {
  assert.equal(conflicts({ base: "a", text: "b" }, "a"), false);
  assert.equal(conflicts({ base: "a", text: "b" }, "b"), false);
  assert.equal(conflicts({ base: "a", text: "b" }, "c"), true);
  assert.equal(conflicts({ base: "a", text: "a" }, ""), true);
});

test("joined texts are both there, and what is then saved starts from theirs", () => {
  assert.deepEqual(joined({ base: "a", text: "mine\n" }, "theirs"), {
    base: "theirs",
    text: "mine\n\ntheirs",
  });
  assert.deepEqual(joined({ base: "a", text: "mine" }, ""), { base: "", text: "mine" });
});
