import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUILT_IN } from "./built-in-rules.ts";
import { isFreeOf, removeFromCode, removeFromText } from "./remove-personal-data.ts";

/** Parts of what the rules find, and of what they must tell apart from it. */
const PARTS = [
  "ada@example.com",
  "@",
  "%40",
  "4111111111111111",
  "4111 1111 1111 1111",
  "10.0.0.5",
  "version",
  "1.2.3.4",
  "fe80::1",
  "::1",
  "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln",
  "Bearer",
  "Basic",
  "dXNlcjpwYXNz",
  "sk_live_12345678",
  "https://ann:pw@host/a?b=c",
  "/path?x=1",
  "password=",
  '"token": "',
  "-----BEGIN PRIVATE KEY-----",
  "{",
  '"',
  "'",
  " ",
  ":",
  "/",
  "-",
  "a",
  "7",
  "ü",
];

test("if a rule finds something in one of several texts, it does so in all of them together", () => {
  const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 5 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const free = texts.every((each) => removeFromText(each, BUILT_IN, new Map()) === each);
      if (!free) assert.ok(!isFreeOf(BUILT_IN.inText, texts.join("\n")));
      const freeCode = texts.every((each) => removeFromCode(each, BUILT_IN, new Map()) === each);
      if (!freeCode) assert.ok(!isFreeOf(BUILT_IN.inCode, texts.join("\n")));
    }),
    { numRuns: 20_000 },
  );
});
