import assert from "node:assert/strict";
import { test } from "node:test";
import { CATALOG, keycaps } from "./catalog.ts";
import { isSingleKey, meaningOf, strokeOf } from "./strokes.ts";

const press = (
  key: string,
  held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {},
) => strokeOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

test("a key press is written in the catalog's notation", () => {
  assert.equal(press("k", { metaKey: true }), "mod+k");
  assert.equal(press("k", { ctrlKey: true }), "mod+k");
  assert.equal(press("R", { shiftKey: true }), "shift+r");
  assert.equal(press("ArrowUp", { altKey: true }), "alt+ArrowUp");
});

test("a symbol typed with Shift is written without it", () => {
  assert.equal(press("?", { shiftKey: true }), "?");
});

test("the second key of a sequence is never read on its own", () => {
  assert.equal(meaningOf("i", "g"), "g i");
  assert.equal(meaningOf("i", undefined), "i");
});

test("keys with a modifier and named keys do not continue a sequence", () => {
  assert.equal(meaningOf("mod+k", "g"), "mod+k");
  assert.equal(meaningOf("Escape", "g"), "Escape");
});

test("letters, symbols and Space are single keys; named keys and keys with a modifier are not", () => {
  for (const keys of ["j", "?", "shift+r", "g i", " "]) assert.equal(isSingleKey(keys), true, keys);
  for (const keys of ["mod+k", "Escape", "alt+ArrowUp", "Enter"])
    assert.equal(isSingleKey(keys), false, keys);
});

test("no two commands share a key", () => {
  const all = Object.values(CATALOG).map(({ keys }) => keys);
  assert.equal(new Set(all).size, all.length);
});

test("keycaps match the platform's keyboard", () => {
  assert.deepEqual(keycaps("mod+k", true), ["⌘", "K"]);
  assert.deepEqual(keycaps("mod+k", false), ["Ctrl", "K"]);
  assert.deepEqual(keycaps("g i"), ["G", "I"]);
  assert.deepEqual(keycaps(" "), ["Space"]);
  assert.deepEqual(keycaps("shift+r", false), ["Shift", "R"]);
});
