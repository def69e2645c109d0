import assert from "node:assert/strict";
import { test } from "node:test";
import { plainExcerpt } from "./plain-excerpt.ts";

for (const [text, words] of [
  ["Could **you** have a `look`?", "Could you have a look?"],
  ["# Steps\n\n1. Open the cart\n2. Press *Pay*\n", "Steps · Open the cart · Press Pay"],
  ["> quoted\n\n```js\nthrow 1\n```", "quoted · throw 1"],
  ["[the docs](https://example.com) and ![a screenshot](/x.png)", "the docs and a screenshot"],
  ["To repeat:\n\n- Open the cart.\n- Pay", "To repeat: Open the cart. Pay"],
  ["Line one\nline two", "Line one line two"],
  ["<b onclick=x>Bold</b> 1 < 2 &amp; &lt;3", "<b onclick=x>Bold</b> 1 < 2 & <3"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["", ""],
] as const)
  test(`the excerpt of ${JSON.stringify(text)} is ${JSON.stringify(words)}`, () => {
    assert.equal(plainExcerpt(text), words);
  });

test("an excerpt has at most 200 code points and never half of one", () => {
  const cut = plainExcerpt("🚂".repeat(400));
  assert.deepEqual([Array.from(cut).length, cut.isWellFormed(), cut.endsWith("…")], [200, true, true]);
});
