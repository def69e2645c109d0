import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compilePattern, PatternError } from "../patterns/compile-pattern.ts";
import { BUILT_IN } from "./built-in-rules.ts";
import { compileOwnRules, ownRulesIn, withOwnRules, type OwnRule } from "./own-rules.ts";
import { removeFromCode, removeFromJson, removeFromText } from "./remove-personal-data.ts";
import type { Removed } from "./rules.ts";

const valueRule = (name: string, value_pattern: string): OwnRule => ({
  name,
  key_pattern: null,
  value_pattern,
});
const keyRule = (name: string, key_pattern: string): OwnRule => ({ name, key_pattern, value_pattern: null });

const apply = (rules: OwnRule[], budgetMs?: number) =>
  withOwnRules(BUILT_IN, compileOwnRules(rules), budgetMs);
const text = (rules: OwnRule[], value: string) => removeFromText(value, apply(rules), new Map());
const json = (rules: OwnRule[], value: unknown) => removeFromJson(value, apply(rules), new Map());

describe("a project's own rules for values", () => {
  const customer = valueRule("customer", "\\bK-\\d{4,6}\\b");
  const cases: [rules: OwnRule[], sent: string, kept: string][] = [
    [[customer], "K-1234 and K-99999 of XK-1234", "[removed: customer] and [removed: customer] of XK-1234"],
    [[customer], "k-1234", "k-1234"],
    [[valueRule("customer", "(?i)k-\\d+")], "k-12 K-34", "[removed: customer] [removed: customer]"],
    [[valueRule("whole", "^secret$")], "secret", "[removed: whole]"],
    [[valueRule("whole", "^secret$")], "no secret", "no secret"],
    [[valueRule("emoji", "\u{1f600}+")], "a \u{1f600}\u{1f600} b", "a [removed: emoji] b"],
    [[valueRule("price", "\\$\\d+")], "costs $5", "costs [removed: price]"],
    // Built-in rules come first, and what they replaced stays as it is.
    [[valueRule("words", "[a-z]+")], "ann@example.com", "[removed: email]"],
    [[valueRule("words", "[a-z]+")], "x ann@example.com", "[removed: words] [removed: email]"],
    [[valueRule("rest", "mail .*")], "mail ann@example.com now", "[removed: rest]"],
    [[valueRule("part", "o \\[rem")], "to ann@example.com", "t[removed: part]"],
    // Matches that overlap become one.
    [[valueRule("a", "abc"), valueRule("b", "bcd")], "abcde", "[removed: a]e"],
    [[valueRule("a", "b"), valueRule("b", "abc")], "abc", "[removed: b]"],
    [[keyRule("account", "^(?i)account$")], "at Account=77; b", "at Account=[removed: account]; b"],
  ];
  for (const [rules, sent, kept] of cases)
    it(`${rules.map((rule) => rule.value_pattern ?? rule.key_pattern).join(", ")} turns ${JSON.stringify(sent)} into ${JSON.stringify(kept)}`, () => {
      assert.equal(text(rules, sent), kept);
    });

  it("apply to numbers, keys and lines of code", () => {
    const rules = [valueRule("id", "\\b77\\d{3}\\b")];
    assert.deepEqual(json(rules, { a: [77123, 5, true, null], "77001": 1 }), {
      a: ["[removed: id]", 5, true, null],
      "[removed: id]": 1,
    });
    assert.equal(removeFromCode("pay(77123)", apply(rules), new Map()), "pay([removed: id])");
  });

  it("count what they removed under their names", () => {
    const removed: Removed = new Map();
    const rules = apply([customer, { name: "plan", key_pattern: "plan", value_pattern: "gold|silver" }]);
    removeFromJson({ plan_name: "x", a: "K-1234 gold K-1235", password: "y" }, rules, removed);
    assert.deepEqual(Object.fromEntries(removed), { plan: 2, customer: 2, password: 1 });
  });
});

describe("a project's own rules for keys", () => {
  it("remove whole values at any depth, and null stays", () => {
    assert.deepEqual(
      json([keyRule("customer", "(?i)customer_?(id|no)$")], {
        customerId: { a: 1 },
        b: [{ CUSTOMER_NO: 5, customer: "x", customer_id: null }],
      }),
      {
        customerId: "[removed: customer]",
        b: [{ CUSTOMER_NO: "[removed: customer]", customer: "x", customer_id: null }],
      },
    );
  });

  it("do not replace the names of built-in rules for the same keys", () => {
    assert.deepEqual(json([keyRule("mine", "pass")], { password: 1, passenger: 2 }), {
      password: "[removed: password]",
      passenger: "[removed: mine]",
    });
  });
});

describe("the time that own rules take", () => {
  const hostile = [
    "(a+)+$",
    "(a|aa)+$",
    "(.*a){20}b",
    "[a-q][^u-z]{13}x",
    "(?:a{1,12}){1,12}b",
    "\\b",
    "a.*c|a",
    "\\pL{180}",
  ];
  const texts = ["a".repeat(60_000), "ab ".repeat(20_000), "é".repeat(20_000), "\ud800a".repeat(20_000)];

  // Backtracking would not end.
  it("is linear and bounded for hostile patterns and texts", () => {
    const rules = hostile.map((pattern, n) => valueRule(`rule ${n}`, pattern));
    const removed: Removed = new Map();
    removeFromJson({ texts, more: texts.map((one) => ({ one })) }, apply(rules), removed);
    assert.ok((removed.get("unchecked") ?? 0) > 0);
  });

  it("removes what is not searched: everything after 16,384 characters and after 100 matches", () => {
    const long = `${"x".repeat(16_384)}K-1`;
    assert.equal(text([valueRule("k", "K-\\d")], long), `${"x".repeat(16_384)}[removed: unchecked]`);
    const many = "K-1 ".repeat(101);
    assert.equal(
      text([valueRule("k", "K-\\d")], many),
      `${"[removed: k] ".repeat(99)}[removed: k][removed: unchecked]`,
    );
  });

  it("removes every text and every value once the budget of the event is spent", () => {
    const rules = apply([valueRule("k", "K-\\d"), keyRule("plan", "plan")], 0);
    assert.deepEqual(removeFromJson({ a: "harmless", b: { c: 1 } }, rules, new Map()), {
      "[removed: unchecked]": "[removed: unchecked]",
    });
  });

  it("is zero without rules", () => {
    assert.equal(withOwnRules(BUILT_IN, ownRulesIn(null)), BUILT_IN);
  });

  it("includes compiling the rules only once", () => {
    const rules = () => JSON.stringify([valueRule("k", "K-\\d")]);
    assert.equal(ownRulesIn(rules()), ownRulesIn(rules()));
  });
});

describe("patterns", () => {
  const invalid: [pattern: string, message: RegExp][] = [
    ["(?=a)b", /without lookaround/],
    ["(?<!a)b", /without lookaround/],
    ["(a)\\1", /without lookaround and backreferences/],
    ["(", /missing closing \)/],
    ["[z-a]", /invalid character class range/],
    ["a{2000}", /invalid repeat count/],
    ["(a{500}){2}", /invalid repeat count|too complex/],
    ["a{301}", /too complex/],
    ["(?:a{30}){30}", /too complex/],
    ["a*", /must not match an empty text/],
    ["", /must not match an empty text/],
    ["^", /must not match an empty text/],
    ["x|", /must not match an empty text/],
  ];
  for (const [pattern, message] of invalid)
    it(`${JSON.stringify(pattern)} is rejected: ${message.source}`, () => {
      assert.throws(
        () => compilePattern(pattern),
        (error: Error) => {
          assert.ok(error instanceof PatternError);
          assert.match(error.message, message);
          return true;
        },
      );
    });
});
