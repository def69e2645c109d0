import assert from "node:assert/strict";
import { test } from "node:test";
import { completeMention, mentionAt, peopleMatching } from "./mentions.ts";

test("only the mention at the caret is being typed", () => {
  assert.deepEqual(mentionAt("Hi @an", 6), { start: 3, query: "an" });
  assert.deepEqual(mentionAt("@", 1), { start: 0, query: "" });
  assert.equal(mentionAt("mail@an", 7), null);
  assert.equal(mentionAt("Hi @ann there", 13), null);
});

test("completing a mention keeps the following text and leaves one space", () => {
  assert.deepEqual(completeMention("Hi @an", 3, 6, "ann"), { text: "Hi @ann ", caret: 8 });
  assert.deepEqual(completeMention("Hi @an, you", 3, 6, "ann"), { text: "Hi @ann , you", caret: 8 });
  assert.deepEqual(completeMention("Hi @an you", 3, 6, "ann"), { text: "Hi @ann you", caret: 8 });
});

test("people are found by the start of any of their names", () => {
  const people = [
    { username: "ann", first_name: "Ann", last_name: "Example" },
    { username: "bob", first_name: "Bob", last_name: "Anders" },
    { username: "cat", first_name: "Cat", last_name: "Hanson" },
  ];
  assert.deepEqual(
    peopleMatching(people, "AN").map(({ username }) => username),
    ["ann", "bob"],
  );
});
