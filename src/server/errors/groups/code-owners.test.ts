import assert from "node:assert/strict";
import { test } from "node:test";
import { ownersOfFile } from "./code-owners.ts";

/** The owners by a pattern. */
const isOwned = (pattern: string, file: string) => ownersOfFile(`${pattern} @ada`, file).length > 0;

for (const [pattern, file] of [
  ["*", "src/cart.ts"],
  ["*.ts", "/srv/app/src/cart.ts"],
  ["cart.ts", "src/checkout/cart.ts"],
  ["/src/", "src/checkout/cart.ts"],
  ["src/checkout", "/var/www/app/src/checkout/cart.ts"],
  ["/src/checkout/cart.ts", "app:///src/checkout/cart.ts?v=2"],
  ["/src/*.ts", "https://shop.example.com/src/cart.ts"],
  ["docs/*", "docs/cart.md"],
  ["checkout/", "src/checkout/pay/card.ts"],
  ["/src/**/cart.ts", "src/a/b/cart.ts"],
  ["/src/**/cart.ts", "src/cart.ts"],
  ["**/pay/", "src/checkout/pay/card.ts"],
  ["/src/**", "src/a/b/cart.ts"],
  ["/src/ca?t.ts", "src/cart.ts"],
  ["/my\\ app/cart.ts", "my app/cart.ts"],
  ["/src/cart.ts", "C:\\work\\src\\cart.ts"],
] as const)
  test(`the pattern ${pattern} owns ${file}`, () => assert.ok(isOwned(pattern, file)));

for (const [pattern, file] of [
  ["*.js", "src/cart.ts"],
  ["/src/pay/", "src/cart.ts"],
  ["cart", "src/cart.ts"],
  ["docs/*", "docs/shop/cart.md"],
  ["checkout/", "src/checkout"],
  ["/src/*.ts", "src/a/cart.ts"],
  ["# *", "src/cart.ts"],
  ["[Section]", "src/cart.ts"],
] as const)
  test(`the pattern ${pattern} does not own ${file}`, () => assert.ok(!isOwned(pattern, file)));

test("the last pattern that matches decides, and one without owners means that nobody owns the file", () => {
  const text = "* @ada\n/src/ @grace team@example.com # the shop\n/src/vendor/\n\n/docs/ @docs";
  assert.deepEqual(ownersOfFile(text, "lib/a.ts"), ["@ada"]);
  assert.deepEqual(ownersOfFile(text, "src/a.ts"), ["@grace", "team@example.com"]);
  assert.deepEqual(ownersOfFile(text, "src/vendor/a.ts"), []);
});

test("patterns with many wildcards take little time", () => {
  const startedAt = performance.now();
  assert.ok(!isOwned(`${"*a".repeat(500)}b`, "a".repeat(1_500)));
  assert.ok(!isOwned(`${"**/a/".repeat(500)}b`, "a/".repeat(500)));
  assert.ok(performance.now() - startedAt < 5_000);
});
