import assert from "node:assert/strict";
import { test } from "node:test";
import { firstWords } from "./first-words.ts";

test("the first words of a Markdown text have no marks and no line breaks", () => {
  const text =
    "## Steps\n\n1. Open **the cart**\n2. See [the total](https://example.com)\n\n> `net` ![](a.png) prices";
  assert.equal(firstWords(text), "Steps · Open the cart · See the total · net prices");
  assert.equal(firstWords("```ts\nconst a_b = 1 * 2;\n```"), "const a_b = 1 2;");
  assert.equal(firstWords("one\ntwo\n\n- Pay.\n- Wait"), "one two · Pay. Wait");
  assert.equal(firstWords(" \n "), "");
});

test("only the beginning of a long text is read", () => {
  assert.ok(firstWords("word ".repeat(10_000)).length <= 400);
});
