import assert from "node:assert/strict";
import { test } from "node:test";
import { originErrorOf, originsOf } from "./origins.ts";

test("origins are separated by lines, spaces or commas, and may end with a slash", () => {
  assert.deepEqual(originsOf(" https://a.example/\n\nhttps://b.example, https://*.c.example "), [
    "https://a.example",
    "https://b.example",
    "https://*.c.example",
  ]);
  assert.deepEqual(originsOf(" \n"), []);
});

test("the error of an origin says which one it is", () => {
  assert.equal(originErrorOf({ "allowed_origins.1": ["must be an origin"] }), "Origin 2 must be an origin.");
  assert.equal(
    originErrorOf({ allowed_origins: ["must have at most 50 origins"] }),
    "The list must have at most 50 origins.",
  );
  assert.equal(originErrorOf({ name: ["is required"] }), undefined);
});
