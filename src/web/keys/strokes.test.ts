import assert from "node:assert/strict";
import { test } from "node:test";
import { CATALOGUE, keycaps } from "./catalogue.ts";
import { isSingleKey, meaningOf, strokeOf } from "./strokes.ts";

const press = (
  key: string,
  held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {},
) => strokeOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

test("a press is written as the catalogue writes its keys", () => {
  assert.equal(press("k", { metaKey: true }), "mod+k");
  assert.equal(press("k", { ctrlKey: true }), "mod+k");
  assert.equal(press("R", { shiftKey: true }), "shift+r");
  assert.equal(press("ArrowUp", { altKey: true }), "alt+ArrowUp");
});

test("a sign that needs shift is the sign alone", () => {
  assert.equal(press("?", { shiftKey: true }), "?");
});

test("a second key is read together with the one before it, and never by itself", () => {
  assert.equal(meaningOf("i", "g"), "g i");
  assert.equal(meaningOf("i", undefined), "i");
});

test("a key with a modifier, or with a name, is no second key", () => {
  assert.equal(meaningOf("mod+k", "g"), "mod+k");
  assert.equal(meaningOf("Escape", "g"), "Escape");
});

test("letters, signs and the blank are single keys; named keys and those with a modifier are not", () => {
  for (const keys of ["j", "?", "shift+r", "g i", " "]) assert.equal(isSingleKey(keys), true, keys);
  for (const keys of ["mod+k", "Escape", "alt+ArrowUp", "Enter"])
    assert.equal(isSingleKey(keys), false, keys);
});

test("no two commands share a key", () => {
  const all = Object.values(CATALOGUE).map(({ keys }) => keys);
  assert.equal(new Set(all).size, all.length);
});

test("keycaps are what people find on their keyboard", () => {
  assert.deepEqual(keycaps("mod+k", true), ["⌘", "K"]);
  assert.deepEqual(keycaps("mod+k", false), ["Ctrl", "K"]);
  assert.deepEqual(keycaps("g i"), ["G", "I"]);
  assert.deepEqual(keycaps(" "), ["Space"]);
  assert.deepEqual(keycaps("shift+r", false), ["Shift", "R"]);
});
