import assert from "node:assert/strict";
import { test } from "node:test";
import {
  continueList,
  indentItems,
  outdentItems,
  toggleHeading,
  toggleList,
  toggleQuote,
} from "./list-edits.ts";
import { shown, state } from "./shown-state.ts";

const all = (text: string) => ({ text, start: 0, end: text.length });
const enter = (text: string) => {
  const next = continueList(state(text));
  return next && shown(next);
};
const tab = (text: string) => {
  const next = indentItems(state(text));
  return next && shown(next);
};
const back = (text: string) => {
  const next = outdentItems(state(text));
  return next && shown(next);
};

test("a list is made of lines, changed into another kind, and made lines again", () => {
  assert.equal(toggleList(all("one\ntwo"), "bullet").text, "- one\n- two");
  assert.equal(toggleList(all("- one\n- two"), "number").text, "1. one\n2. two");
  assert.equal(toggleList(all("1. one\n2. two"), "task").text, "- [ ] one\n- [ ] two");
  assert.equal(toggleList(all("- [x] one\n- [ ] two"), "bullet").text, "- one\n- two");
  assert.equal(toggleList(all("- one\n- two"), "bullet").text, "one\ntwo");
});

test("a list keeps blank lines and indentation, and numbers only its items", () => {
  assert.equal(toggleList(all("one\n\n  two"), "number").text, "1. one\n\n  2. two");
  assert.equal(toggleList(all("1. one\n\n2. two"), "number").text, "one\n\ntwo");
});

test("a list begins on an empty line, and the caret stays in its text", () => {
  assert.equal(shown(toggleList(state("|"), "bullet")), "- |");
  assert.equal(shown(toggleList(state("on|e"), "task")), "- [ ] on|e");
  assert.equal(shown(toggleList(state("before\non|e"), "number")), "before\n1. on|e");
});

test("a selection that ends at the start of a line does not change that line", () => {
  assert.equal(toggleList({ text: "one\ntwo", start: 0, end: 4 }, "bullet").text, "- one\ntwo");
});

test("quotes are added to all lines, and removed only if all are quotes", () => {
  assert.equal(toggleQuote(all("one\n\ntwo")).text, "> one\n> \n> two");
  assert.equal(toggleQuote(all("> one\n> \n>two")).text, "one\n\ntwo");
  assert.equal(toggleQuote(all("> one\ntwo")).text, "> > one\n> two");
});

test("a heading replaces another level, and is removed by the same", () => {
  assert.equal(shown(toggleHeading(state("Ti|tle"), 2)), "## Ti|tle");
  assert.equal(shown(toggleHeading(state("# Ti|tle"), 2)), "## Ti|tle");
  assert.equal(shown(toggleHeading(state("## Ti|tle"), 2)), "Ti|tle");
  assert.equal(shown(toggleHeading(state("|"), 2)), "## |");
});

test("Enter begins the next item with the same marker, the next number, or an empty box", () => {
  assert.equal(enter("- one|"), "- one\n- |");
  assert.equal(enter("* one|"), "* one\n* |");
  assert.equal(enter("9. one|"), "9. one\n10. |");
  assert.equal(enter("3) one|"), "3) one\n4) |");
  assert.equal(enter("- [x] one|"), "- [x] one\n- [ ] |");
  assert.equal(enter("  - one|"), "  - one\n  - |");
  assert.equal(enter("> one|"), "> one\n> |");
  assert.equal(enter("> - one|"), "> - one\n> - |");
});

test("Enter inside an item splits it", () => {
  assert.equal(enter("- one| two\n- three"), "- one\n- | two\n- three");
});

test("Enter on an empty item ends the list with a blank line, or the inner list first", () => {
  assert.equal(enter("- one\n- |"), "- one\n\n|");
  assert.equal(enter("1. one\n2. |\nafter"), "1. one\n\n|\nafter");
  assert.equal(enter("- [ ] |"), "|");
  assert.equal(enter("- one\n  - |"), "- one\n- |");
  assert.equal(enter("1. one\n   - |"), "1. one\n2. |");
  assert.equal(enter("> one\n> |"), "> one\n\n|");
  assert.equal(enter("> - one\n> - |"), "> - one\n> \n> |");
  assert.equal(enter("> > one\n> > |"), "> > one\n> \n> |");
});

test("Enter is a plain line break before a marker, in plain text, in code, and beside a divider", () => {
  for (const text of ["|- one", "-| one", "one|", "```\n- one|", "-one|", "---|", "2026.|", "**bold**|"])
    assert.equal(enter(text), undefined, text);
});

test("Tab makes an item a child of the one above, by the width of its marker", () => {
  assert.equal(tab("- one\n- tw|o"), "- one\n  - tw|o");
  assert.equal(tab("1. one\n2. |"), "1. one\n   2. |");
  assert.equal(tab("10. one\n11. |"), "10. one\n    11. |");
  assert.equal(tab("- one\n\n- |"), "- one\n\n  - |");
  assert.equal(
    indentItems({ text: "- one\n- two\n- three", start: 6, end: 19 })?.text,
    "- one\n  - two\n  - three",
  );
  assert.equal(tab("> - one\n> - |"), "> - one\n>   - |");
});

test("Tab does nothing where an item has no possible parent, so that the focus can leave", () => {
  for (const text of ["- one|", "- one\n  - tw|o", "one|", "text\n- one|", "```\n- one\n- two|"])
    assert.equal(tab(text), undefined, text);
});

test("Shift Tab makes an item a sibling of its parent, and does nothing at the outermost level", () => {
  assert.equal(back("- one\n  - tw|o"), "- one\n- tw|o");
  assert.equal(back("1. one\n   - |"), "1. one\n- |");
  assert.equal(back("- one\n  - two\n    - |"), "- one\n  - two\n  - |");
  assert.equal(back("- one\n- tw|o"), undefined);
  assert.equal(back("  one|"), undefined);
});

test("a long line of quote marks and spaces is read in linear time", () => {
  const text = `${"> ".repeat(50_000)}\u2028`;
  assert.ok(continueList({ text, start: text.length, end: text.length }));
});
