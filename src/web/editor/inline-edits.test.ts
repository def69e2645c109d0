import assert from "node:assert/strict";
import { test } from "node:test";
import { makeLink, pasteAddress, toggleMark } from "./inline-edits.ts";
import { shown, state } from "./shown-state.ts";

const bold = (text: string) => shown(toggleMark(state(text), "**"));
const italic = (text: string) => shown(toggleMark(state(text), "_"));
const code = (text: string) => shown(toggleMark(state(text), "`"));

test("bold marks the selection, and removes the marks around or within it", () => {
  assert.equal(bold("a [big] cat"), "a **[big]** cat");
  assert.equal(bold("a **[big]** cat"), "a [big] cat");
  assert.equal(bold("a [**big**] cat"), "a [big] cat");
});

test("white space at the ends of the selection stays outside of the marks", () => {
  assert.equal(bold("a[ big ]cat"), "a **[big]** cat");
  assert.equal(bold("a[  ]cat"), "a**[  ]**cat");
});

test("without a selection, the word at the caret is marked, or the caret goes between marks", () => {
  assert.equal(bold("a bi|g cat"), "a **bi|g** cat");
  assert.equal(bold("a **bi|g** cat"), "a bi|g cat");
  assert.equal(bold("a | cat"), "a **|** cat");
  assert.equal(bold("a **|** cat"), "a | cat");
  assert.equal(bold("|"), "**|**");
  assert.equal(bold("Grö|ße"), "**Grö|ße**");
});

test("italic uses asterisks inside a word, where underscores would be text", () => {
  assert.equal(italic("a [big] cat"), "a _[big]_ cat");
  assert.equal(italic("un[frigging]believable"), "un*[frigging]*believable");
  assert.equal(italic("a _[big]_ cat"), "a [big] cat");
});

test("each line of a selection is marked after its list marker, and unmarked again", () => {
  assert.equal(bold("[- one\n\n1. two\n- [x] three]"), "[- **one**\n\n1. **two**\n- [x] **three**]");
  assert.equal(bold("[- **one**\n\n1. **two**]"), "[- one\n\n1. two]");
});

test("code around a backtick uses two, and code of several lines is a block", () => {
  assert.equal(code("a [b] c"), "a `[b]` c");
  assert.equal(code("a [b`c] d"), "a `` [b`c] `` d");
  assert.equal(code("[a\nb]"), "[```\na\nb\n```]");
  assert.equal(code("x [a\nb] y"), "x [\n```\na\nb\n```\n] y");
  assert.equal(code("[```\na\nb\n```]"), "[a\nb]");
  assert.equal(code("[a\n```\nb]"), "[````\na\n```\nb\n````]");
});

test("making a link selects the part that is still missing", () => {
  const link = (text: string) => shown(makeLink(state(text)), "<>");
  assert.equal(link("see [docs] now"), "see [docs](<url>) now");
  assert.equal(link("see | now"), "see [|](url) now");
  assert.equal(link("see [https://a.example/b] now"), "see [|](https://a.example/b) now");
});

test("an address pasted over text makes it a link", () => {
  const paste = (text: string, pasted: string) => {
    const next = pasteAddress(state(text), pasted);
    return next && shown(next);
  };
  assert.equal(paste("see [docs] now", " https://a.example/b \n"), "see [docs](https://a.example/b)| now");
  assert.equal(paste("[docs]", "https://a.example/(b)"), "[docs](<https://a.example/(b)>)|");
  assert.equal(paste("[docs]", "mailto:a@b.example"), "[docs](mailto:a@b.example)|");
});

test("anything else is pasted as it is", () => {
  const paste = (text: string, pasted: string) => pasteAddress(state(text), pasted);
  assert.equal(paste("see | now", "https://a.example"), undefined);
  assert.equal(paste("[docs]", "not an address"), undefined);
  assert.equal(paste("[docs]", "https://a.example and more"), undefined);
  assert.equal(paste("[docs]", "javascript:alert(1)"), undefined);
  assert.equal(paste("[https://b.example]", "https://a.example"), undefined);
  assert.equal(paste("[two\nlines]", "https://a.example"), undefined);
  assert.equal(pasteAddress({ text: "[docs](url)", start: 7, end: 10 }, "https://a.example"), undefined);
});
