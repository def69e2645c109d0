import assert from "node:assert/strict";
import { test } from "node:test";
import { removedParts } from "./removed-parts.ts";

const marked = (original: string, normalized: string) =>
  removedParts(original, normalized)
    .map(({ text, removed }) => (removed ? `[${text}]` : text))
    .join("");

test("the removed parts of a line are marked", () => {
  for (const [original, normalized, expected] of [
    ["#1 {main}", "#1 {main}", "#1 {main}"],
    ["#0 /var/www/shop/a.php(1): f()", "#0 shop/a.php(1): f()", "#0 [/var/www/]shop/a.php(1): f()"],
    ["at f (/home/alice/app/a.js)", "at f (app/a.js)", "at f ([/home/alice/]app/a.js)"],
    ["    at pay (/a/cart-9f8e.js:7:2)", "at pay (/a/cart.js)", "    at pay (/a/cart[-9f8e].js[:7:2])"],
    ["  at run (/app/a.js)", "at run (a.js)", "  at run ([/app/]a.js)"],
    ["not counted", "", "[not counted]"],
    ["C:\\a.js", "C:/a.js", "[C:\\a.js] C:/a.js"],
  ] as const)
    assert.equal(marked(original, normalized), expected);
});
