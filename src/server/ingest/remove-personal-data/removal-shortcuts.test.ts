import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUILT_IN } from "./built-in-rules.ts";
import { removeFromCode, removeFromJson, removeFromText } from "./remove-personal-data.ts";
import { count, type Removed } from "./rules.ts";

/* Texts that look harmless are not searched, and values without personal data are not copied. Neither changes the result. */

const text = (value: string) => removeFromText(value, BUILT_IN, new Map());
const code = (value: string) => removeFromCode(value, BUILT_IN, new Map());

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

test("a text that looks harmless has no personal data", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "::",
      ":",
      ".",
      "-",
      " ",
      "/",
      "_",
      "'",
      "v",
      "bearer ",
      "Basic ",
      "YW5uOmh1bnRlcjI",
      "PRIVATE KEY",
    ),
    fc.constantFrom(
      "4111111111111111",
      "3782 822463 10005",
      "5555-5555-5555-4444",
      "4111",
      "AKIA0123456789ABCDEF",
    ),
    fc.constantFrom("sk_live_12345678", "sk-0123456789abcdefghij", "ghp_0123456789abcdefghij", JWT),
    fc.ipV4(),
    fc.ipV6(),
    fc.stringMatching(/^[\da-f]{1,4}$/),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 24)),
  );
  const line = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(line, (sent) => {
      // A percent sign makes every rule look at a text.
      const isKept = text(`${sent}\n%`) === `${sent}\n%`;
      assert.equal(text(sent) === sent, isKept);
      const isKeptInCode = code(`${sent}\n%`) === `${sent}\n%`;
      assert.equal(code(sent) === sent, isKeptInCode);
    }),
    { numRuns: 10_000 },
  );
});

test("a value without personal data is returned as it is, and nothing that was sent is changed", () => {
  const sent = { a: [1, { b: "c" }], d: { e: null }, f: { password: 1 } };
  const before = structuredClone(sent);
  const kept = removeFromJson(sent, BUILT_IN, new Map()) as typeof sent;
  assert.equal(kept.a, sent.a);
  assert.equal(kept.d, sent.d);
  assert.deepEqual(kept.f, { password: "[removed: password]" });
  assert.deepEqual(sent, before);
});

/** What `removeFromJson` returns, written as plainly as possible. */
function copied(value: unknown, removed: Removed): unknown {
  if (typeof value !== "object" || value === null) return removeFromJson(value, BUILT_IN, removed);
  if (Array.isArray(value)) return value.map((item) => copied(item, removed));
  const entries = Object.entries(value).map(([key, inner]) => {
    const rule = inner === null ? undefined : BUILT_IN.ruleOfKey(key);
    return [
      removeFromText(key, BUILT_IN, removed),
      rule === undefined ? copied(inner, removed) : count(rule, removed),
    ] as const;
  });
  return Object.fromEntries(entries);
}

test("any value becomes the same as if all of it were copied", () => {
  const text = fc.constantFrom("a", "b", "pw", "a@b.example", "[removed: email]", "__proto__", "1", "0", "");
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      text,
      fc.constantFrom(null, true, 7, 4111111111111111),
      fc.array(tie("value")),
      fc.array(fc.tuple(text, tie("value"))).map((entries) => Object.fromEntries(entries) as object),
    ),
  }));
  fc.assert(
    fc.property(value, (sent) => {
      const counts = [new Map(), new Map()] as const;
      const kept = removeFromJson(sent, BUILT_IN, counts[0]);
      assert.equal(JSON.stringify(kept), JSON.stringify(copied(sent, counts[1])));
      assert.deepEqual(counts[0], counts[1]);
    }),
    { numRuns: 1_000 },
  );
});
