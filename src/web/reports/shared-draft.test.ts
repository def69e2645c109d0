import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOfShared } from "./shared-draft.ts";

const LINK = "https://shop.example.com/cart";

test("a shared page becomes a title and a description with its link", () => {
  assert.deepEqual(draftOfShared({ title: "Cart", text: "The total is wrong", url: LINK }), {
    title: "Cart",
    description: `The total is wrong\n\n${LINK}`,
  });
});

test("a link that the text contains is not repeated", () => {
  const text = `Look at ${LINK}`;
  assert.deepEqual(draftOfShared({ text, url: LINK }), { title: text, description: text });
});

test("without a title, the first line of the text is the title unless it is a link", () => {
  assert.equal(draftOfShared({ text: "The total is wrong\nSince today" }).title, "The total is wrong");
  assert.equal(draftOfShared({ text: LINK }).title, "");
});

test("a long title is shortened, and nothing is lost from the text", () => {
  const text = "word ".repeat(100).trim();
  const draft = draftOfShared({ text });
  assert.equal(draft.title.length <= 120 && draft.title.endsWith("…"), true);
  assert.equal(draft.description, text);
});
