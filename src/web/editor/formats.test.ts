import assert from "node:assert/strict";
import { test } from "node:test";
import { insertBlock, CODE_BLOCK, DIVIDER, TABLE } from "./block-edits.ts";
import { COMMANDS, commandsMatching } from "./commands.ts";
import { formatOf } from "./formats.ts";
import { difference } from "./insert-text.ts";
import { peopleMatching, reportsMatching } from "./matching.ts";
import { shown, state } from "./shown-state.ts";

const press = (stroke: Partial<KeyboardEvent>) =>
  formatOf({ key: "", code: "", ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, ...stroke });

test("formats have keys with Ctrl or ⌘, digits by their place on the keyboard", () => {
  assert.equal(press({ key: "b" }), "bold");
  assert.equal(press({ key: "B", ctrlKey: false, metaKey: true }), "bold");
  assert.equal(press({ key: "k" }), "link");
  assert.equal(press({ key: "/", code: "Digit7", shiftKey: true }), "number");
  assert.equal(press({ key: ":", code: "Period", shiftKey: true }), "quote");
});

test("other keys are left to the browser", () => {
  assert.equal(press({ key: "b", ctrlKey: false }), undefined);
  assert.equal(press({ key: "b", altKey: true }), undefined);
  assert.equal(press({ key: "b", shiftKey: true }), undefined);
  assert.equal(press({ key: "z" }), undefined);
  assert.equal(press({ key: "7", code: "Digit7" }), undefined);
});

test("a block is inserted on its own lines, and its placeholder is selected", () => {
  assert.equal(shown(insertBlock(state("|"), CODE_BLOCK)), "```|\n\n```");
  assert.equal(shown(insertBlock(state("text\n|"), DIVIDER)), "text\n\n---\n\n|");
  assert.equal(
    shown(insertBlock(state("text\n|\nmore"), TABLE)),
    "text\n\n| [Column] | Column |\n| --- | --- |\n|  |  |\n\nmore",
  );
});

test("commands are found by the start of a word of their name, or of another name", () => {
  const found = (query: string) => commandsMatching(COMMANDS, query).map(({ id }) => id);
  assert.deepEqual(found("tab"), ["table"]);
  assert.deepEqual(found("list"), ["bullet", "number", "task"]);
  assert.deepEqual(found("hr"), ["divider"]);
  assert.deepEqual(found("api"), []);
  assert.equal(found("").length, COMMANDS.length);
});

test("people are found by the start of any of their names", () => {
  const people = [
    { user_id: 1, username: "ann", first_name: "Ann", last_name: "Example" },
    { user_id: 2, username: "bob", first_name: "Bob", last_name: "Anders" },
    { user_id: 3, username: "cat", first_name: "Cat", last_name: "Hanson" },
  ];
  assert.deepEqual(
    peopleMatching(people, "AN").map(({ username }) => username),
    ["ann", "bob"],
  );
});

test("reports are found by their number or a word, the newest first", () => {
  const reports = [
    { id: 3, title: "The cart is empty" },
    { id: 31, title: "Slow" },
    { id: 40, title: "Empty page" },
  ];
  const found = (query: string) => reportsMatching(reports, query, 2).map(({ id }) => id);
  assert.deepEqual(found("3"), [31, 3]);
  assert.deepEqual(found("emp"), [40, 3]);
  assert.deepEqual(found(""), [40, 31]);
  assert.deepEqual(found("none"), []);
});

test("only what differs between two texts is replaced, and never half of an emoji", () => {
  assert.equal(difference("same", "same"), null);
  assert.deepEqual(difference("a b", "a **b**"), { from: 2, to: 3, insert: "**b**" });
  assert.deepEqual(difference("aa", "a"), { from: 1, to: 2, insert: "" });
  assert.deepEqual(difference("😀", "😁"), { from: 0, to: 2, insert: "😁" });
  assert.deepEqual(difference("😀 x", "🐀 x"), { from: 0, to: 2, insert: "🐀" });
});
