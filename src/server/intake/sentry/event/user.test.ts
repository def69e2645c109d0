import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { userRule } from "./user.ts";
import { Words } from "./words.ts";

test("texts are searched for a user's value only if their words may contain it", () => {
  const character = fc.constantFrom(
    "a",
    "b",
    "7",
    "ü",
    "\u{1f600}",
    "\u{1d7d8}",
    " ",
    "\n",
    "-",
    "@",
    ".",
    "_",
  );
  const value = fc.string({ unit: character, minLength: 4, maxLength: 12 });
  const between = fc.string({ unit: character, maxLength: 4 });
  const parts = fc.tuple(between, value, between);
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 3 }), value, ([first, ...more], other) => {
      const [before = "", id = "", after = ""] = first ?? [];
      const rule = userRule({ user: { id, other } });
      for (const text of [before + id + after, other + before, ...more.flat()])
        if (rule?.remove(text, () => "") !== text && rule) assert.ok(rule.mayFind(new Words([text])));
    }),
    { numRuns: 2_000 },
  );
});

test("most words that a text does not contain are recognized as missing", () => {
  const words = new Words(["const total = cart.lines.map((line) => line.price);"]);
  const others = Array.from({ length: 1_000 }, (_, n) => `u${n}`);
  assert.ok(words.mayHave("total") && words.mayHave("price"));
  assert.ok(others.filter((word) => words.mayHave(word)).length < 50);
});
