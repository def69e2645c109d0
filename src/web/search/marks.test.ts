import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchKind } from "../../shared/search.ts";
import { partsOf } from "./marks.ts";

const marked = (text: string, query: string, kind: SearchKind = "issue") =>
  partsOf(text, query, kind)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join("");

test("words match at the beginning of words, whatever their case", () => {
  assert.equal(marked("Cart and CARTON, a la carte", "cart"), "[Cart] and [CART]ON, a la [cart]e");
  assert.equal(marked("The checkout of the heckout", "heck"), "The checkout of the [heck]out");
  assert.equal(marked("Größe und GRÖSSE", "größ"), "[Größ]e und GRÖSSE");
  assert.equal(
    marked("İstanbul and istanbul 𝄞wing wing", "wing ist"),
    "İstanbul and [ist]anbul 𝄞[wing wing]",
  );
});

test("in errors and projects words match anywhere", () => {
  assert.equal(
    marked("App\\NotFoundHttpException", "http found", "error_group"),
    "App\\Not[FoundHttp]Exception",
  );
  assert.equal(marked("Web shop", "hop", "project"), "Web s[hop]");
});

test("adjacent matches are highlighted as one", () => {
  assert.equal(
    marked("A purchase  order, order by order", "order purchase"),
    "A [purchase  order], [order] by [order]",
  );
});

test("nothing in the text or the query is read as markup or as a pattern", () => {
  assert.equal(marked("<b>a</b> (b", "<b>"), "<[b]>a</[b]> ([b]");
  for (const query of ["(", ".*", "\\", "[a", "a+", "!!!", ""])
    assert.doesNotThrow(() => marked("a (b) [c]", query));
  assert.equal(
    partsOf("one text", "x", "issue")
      .map(({ text }) => text)
      .join(""),
    "one text",
  );
});
