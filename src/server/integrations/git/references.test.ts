import assert from "node:assert/strict";
import { test } from "node:test";
import { findReferences } from "./references.ts";

/** The references as text: `+` stands before those with a keyword. */
function namesIn(text: string): string[] {
  const { issues, groups } = findReferences(text, "WEB");
  const mark = (closes: boolean) => (closes ? "+" : "");
  return [
    ...[...issues].map(([number, closes]) => `${mark(closes)}WEB-${number}`),
    ...[...groups].map(([id, closes]) => `${mark(closes)}E${id}`),
  ];
}

for (const [text, expected] of [
  ["Check the cart (WEB-12)", ["WEB-12"]],
  ["web-12: check the cart", ["WEB-12"]],
  ["See https://signalbox.example.com/projects/WEB/issues/WEB-12.", ["WEB-12"]],
  ["signalbox-e123 and WEB-1", ["WEB-1", "E123"]],
  ["OPS-12, WEB-0, WEB-, MYWEB-12, X-WEB-12, WEB-12a, WEB-12-fix, WEB_12", []],
  ["SIGNALBOX-E0 SIGNALBOX-123 SIGNALBOX-E12x", []],
] as const)
  test(`whole words name issues and error groups: ${text}`, () => assert.deepEqual(namesIn(text), expected));

for (const word of ["fix", "fixes", "fixed", "close", "closes", "closed", "resolve", "resolves", "resolved"])
  test(`the keyword ${word} closes, with or without a colon`, () => {
    assert.deepEqual(namesIn(`${word} WEB-12`), ["+WEB-12"]);
    assert.deepEqual(namesIn(`Cart: ${word.toUpperCase()}: SIGNALBOX-E7`), ["+E7"]);
  });

for (const [text, expected] of [
  ["Fixes WEB-1, WEB-2 and SIGNALBOX-E3", ["+WEB-1", "+WEB-2", "+E3"]],
  ["Fixes WEB-1, and WEB-2,\nWEB-3", ["+WEB-1", "+WEB-2", "+WEB-3"]],
  ["Fixes OPS-1, WEB-2", ["+WEB-2"]],
  ["Fixes WEB-1. See WEB-2", ["+WEB-1", "WEB-2"]],
  ["Fixes WEB-1 WEB-2", ["+WEB-1", "WEB-2"]],
  ["WEB-1, fixes WEB-2", ["WEB-1", "+WEB-2"]],
  ["See WEB-1. Fixes WEB-1", ["+WEB-1"]],
  ["prefixes WEB-1, hotfix WEB-2, fixing WEB-3, fix the cart WEB-4", ["WEB-1", "WEB-2", "WEB-3", "WEB-4"]],
] as const)
  test(`a keyword applies to the list that follows it: ${text.replace("\n", " ")}`, () =>
    assert.deepEqual(namesIn(text), expected));

test("a text can name at most 100 issues and error groups", () => {
  const text = Array.from({ length: 150 }, (_, n) => `WEB-${n + 1}`).join(" ");
  assert.equal(namesIn(text).length, 100);
});
