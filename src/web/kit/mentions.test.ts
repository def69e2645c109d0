import assert from "node:assert/strict";
import { test } from "node:test";
import { completeMention, mentionAt, mentionPieces, peopleMatching } from "./mentions.ts";

const names = new Set(["ann", "bob.b"]);
const mentioned = (prose: string) =>
  mentionPieces(prose, names)
    .filter(({ mention }) => mention)
    .map(({ text }) => text);

test("known names are mentions in any case, without a trailing period", () => {
  assert.deepEqual(mentioned("Hi @Ann, ask @bob.b. Or @carl"), ["@Ann", "@bob.b"]);
  assert.deepEqual(mentioned("@ann/@bob.b"), ["@ann", "@bob.b"]);
});

test("email addresses and URLs are not mentions", () => {
  assert.deepEqual(mentioned("x@ann @ann@example.com https://example.com/@ann example.com/@ann"), []);
});

test("the pieces add up to the text", () => {
  for (const prose of ["", "@ann", "a @ann b @bob.b", "www.x.y/@ann then @ann"])
    assert.equal(
      mentionPieces(prose, names)
        .map(({ text }) => text)
        .join(""),
      prose,
    );
});

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
