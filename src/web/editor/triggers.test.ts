import assert from "node:assert/strict";
import { test } from "node:test";
import { complete, triggerAt } from "./triggers.ts";

const at = (text: string) => triggerAt(text, text.length, (key) => key === "WEB");

test("a person is mentioned after white space or an opening mark", () => {
  assert.deepEqual(at("Hi @an"), { kind: "person", from: 3, query: "an" });
  assert.deepEqual(at("@"), { kind: "person", from: 0, query: "" });
  assert.deepEqual(at("(@an"), { kind: "person", from: 1, query: "an" });
  assert.equal(at("mail@an"), null);
  assert.equal(at("Hi @ann there"), null);
});

test("only text before the caret triggers suggestions", () => {
  assert.deepEqual(
    triggerAt("@ann there", 2, () => false),
    { kind: "person", from: 0, query: "a" },
  );
});

test("a language is named after the marks that begin a code block, not after those that end it", () => {
  assert.deepEqual(at("Look:\n```"), { kind: "language", from: 9, query: "" });
  assert.deepEqual(at("```ty"), { kind: "language", from: 3, query: "ty" });
  assert.equal(at("```ts\ncode\n```"), null);
  assert.equal(at("a ```"), null);
});

test("a report is named by a number sign, which is not a heading's", () => {
  assert.deepEqual(at("See #3"), { kind: "report", from: 4, query: "3" });
  assert.deepEqual(at("#cart"), { kind: "report", from: 0, query: "cart" });
  assert.equal(at("# Title"), null);
  assert.equal(at("##"), null);
  assert.equal(at("C#"), null);
});

test("an issue is named by the key of a known project, in any case", () => {
  assert.deepEqual(at("See WEB-1"), { kind: "issue", from: 4, query: "1", projectKey: "WEB" });
  assert.deepEqual(at("web-cart"), { kind: "issue", from: 0, query: "cart", projectKey: "web" });
  assert.equal(at("well-known"), null);
  assert.equal(at("WEB"), null);
});

test("a command is typed at the beginning of a line only", () => {
  assert.deepEqual(at("one\n/ta"), { kind: "command", from: 4, query: "ta" });
  assert.deepEqual(at("/"), { kind: "command", from: 0, query: "" });
  assert.equal(at("call /api"), null);
  assert.equal(at("/api/v1"), null);
});

test("nothing is suggested in code", () => {
  assert.equal(at("```\n@an"), null);
  assert.equal(at("`@an"), null);
  assert.deepEqual(at("```\ncode\n```\n@an"), { kind: "person", from: 13, query: "an" });
  assert.deepEqual(at("`code` @an"), { kind: "person", from: 7, query: "an" });
});

test("completing keeps the following text and leaves one space", () => {
  assert.deepEqual(complete("Hi @an", 3, 6, "@ann"), { text: "Hi @ann ", caret: 8 });
  assert.deepEqual(complete("Hi @an, you", 3, 6, "@ann"), { text: "Hi @ann , you", caret: 8 });
  assert.deepEqual(complete("Hi @an you", 3, 6, "@ann"), { text: "Hi @ann you", caret: 8 });
});
