import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { markdownHtml } from "./html.ts";
import { countTasks, tickTask } from "./tasks.ts";

test("open and done tasks are counted, except in code", () => {
  assert.equal(countTasks(null), null);
  assert.equal(countTasks("No tasks [ ] here"), null);
  assert.deepEqual(countTasks("- [ ] a\n- [x] b\n  * [X] c\n1. [ ] d\n> - [ ] e\n- - [x] f"), {
    done: 3,
    total: 6,
  });
  assert.equal(countTasks("```\n- [ ] a\n```\n~~~~\n- [ ] b\n~~~\n- [x] c"), null);
  assert.deepEqual(countTasks("```\n- [ ] a\n```\n- [x] b\r\n- [ ] c\r\n"), { done: 1, total: 2 });
  assert.equal(countTasks("- [ ]\n- [ ]a\n-[ ] b\n[ ] c"), null);
});

test("the count agrees with the boxes that are shown", () => {
  const line = fc.constantFrom(
    "- [ ] a",
    "- [x] b",
    "  - [X] c",
    "* [ ] d",
    "1. [ ] e",
    "2. [x] f",
    "> - [ ] g",
    "- h",
    "```",
    "[ ] i",
    "",
    "# j",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      // Blank lines around each line keep a list, a quote and a fence from continuing the line before.
      const text = lines.join("\n\n");
      const boxes = [...markdownHtml(text).matchAll(/<input [^>]*>/g)].map(([box]) => box);
      const expected = { done: boxes.filter((box) => box.includes(" checked")).length, total: boxes.length };
      assert.deepEqual(countTasks(text) ?? { done: 0, total: 0 }, expected);
    }),
    { numRuns: 300 },
  );
});

test("ticking changes only the mark of the task in that line", () => {
  const text = "Intro [ ]\r\n\r\n- [ ] a [ ] b\r\n  - [X] c\r\n";
  assert.equal(tickTask(text, 2, true, text), "Intro [ ]\r\n\r\n- [x] a [ ] b\r\n  - [X] c\r\n");
  assert.equal(tickTask(text, 3, false, text), "Intro [ ]\r\n\r\n- [ ] a [ ] b\r\n  - [ ] c\r\n");
  assert.equal(tickTask(text, 2, false, text), text);
  assert.equal(tickTask(text, 0, true, text), undefined);
  assert.equal(tickTask(text, 99, true, text), undefined);
});

test("in a text that has changed, the same task is found again", () => {
  const shown = "- [ ] a\n- [ ] b";
  assert.equal(
    tickTask(shown, 1, true, "New\n\n- [x] a\n- [ ] b\n- [ ] c"),
    "New\n\n- [x] a\n- [x] b\n- [ ] c",
  );
  assert.equal(
    tickTask(shown, 1, true, "- [ ] a\n- [x] b"),
    "- [ ] a\n- [x] b",
    "someone else has ticked it",
  );
  assert.equal(tickTask(shown, 1, true, "- [ ] a\n- [ ] B"), undefined);
  assert.equal(tickTask(shown, 1, true, ""), undefined);
});

test("if several tasks are equal, the one at the same position is ticked, unless their number has changed", () => {
  const shown = "- [ ] a\n- [ ] a";
  assert.equal(tickTask(shown, 1, true, "Intro\n\n- [x] a\n- [ ] a"), "Intro\n\n- [x] a\n- [x] a");
  assert.equal(tickTask(shown, 1, true, "- [ ] a\n- [ ] a\n- [ ] a"), undefined);
});
