import assert from "node:assert/strict";
import { test } from "node:test";
import { shown, state } from "./shown-state.ts";
import {
  insertParts,
  isUploading,
  linkTo,
  placeholderFor,
  replaceOnce,
  withoutPlaceholders,
} from "./upload-text.ts";

test("each upload has a placeholder of its own, without characters that would end it", () => {
  const first = placeholderFor("a [1].png", "");
  assert.equal(first, "![Uploading a 1 .png…]()");
  assert.equal(placeholderFor("a [1].png", first), "![Uploading a 1 .png (2)…]()");
});

test("placeholders show whether something is being uploaded, and can be removed", () => {
  const text = `see ${placeholderFor("a.png", "")} here`;
  assert.equal(isUploading(text), true);
  assert.equal(withoutPlaceholders(text), "see  here");
  assert.equal(isUploading("![Uploading is fun](url)"), false);
});

test("images are shown, other files are linked, and names cannot end the link", () => {
  assert.equal(linkTo({ filename: "a.webp", mime_type: "image/webp" }, "/x"), "![a.webp](/x)");
  assert.equal(
    linkTo({ filename: "a](y).pdf", mime_type: "application/pdf" }, "/x"),
    String.raw`[a\](y).pdf](/x)`,
  );
});

test("files are inserted at the caret, and replaced without moving the caret in the text", () => {
  assert.equal(shown(insertParts(state("a |b"), ["1", "2"])), "a 1\n2 |b");
  assert.equal(shown(insertParts(state("a|b"), ["1"])), "a 1 |b");
  assert.equal(shown(insertParts(state("a\n|"), ["1"])), "a\n1|");
  assert.equal(shown(replaceOnce(state("XX b|c"), "XX", "longer")), "longer b|c");
  assert.equal(shown(replaceOnce(state("b|c XX"), "XX", "")), "b|c ");
  assert.equal(shown(replaceOnce(state("X|X c"), "XX", "longer")), "l|onger c");
  assert.equal(shown(replaceOnce(state("b|c"), "XX", "y")), "b|c");
});
