import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isFreeOf } from "../../../remove-personal-data/remove-personal-data.ts";
import { userRule } from "./user.ts";

test("texts that are searched together contain a user's value if one of them does", () => {
  const character = fc.constantFrom("a", "b", "7", "ü", "\u{1f600}", "\u{1d7d8}", " ", "-", "@", ".", "_");
  const value = fc.string({ unit: character, minLength: 4, maxLength: 12 });
  const between = fc.string({ unit: character, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(between), fc.tuple(between, value, between), (others, [before, id, after]) => {
      const rule = userRule({ user: { id } });
      const texts = [...others, before + id + after, ...others];
      if (rule && texts.some((text) => rule(text, () => "") !== text))
        assert.ok(!isFreeOf([rule], texts.join("\n")));
    }),
    { numRuns: 2_000 },
  );
});
