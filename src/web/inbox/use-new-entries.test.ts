import assert from "node:assert/strict";
import { test } from "node:test";
import { newestShown } from "./use-new-entries.ts";

const entries = (...ids: number[]) => ids.map((id) => ({ id }));

test("a new view shows all entries", () => {
  assert.equal(newestShown(entries(9, 7, 3), undefined), 9);
});

test("an entry that arrives while the list is shown is held back", () => {
  assert.equal(newestShown(entries(12, 9, 7), 9), 9);
});

test("after the newest shown entry leaves the list, older ones remain and newer ones are held back", () => {
  assert.equal(newestShown(entries(12, 7), 9), 9);
});

test("if none of the shown entries is left, new ones appear at once", () => {
  assert.equal(newestShown(entries(13, 12), 9), 13);
});

test("an empty list remembers what was shown, so that an entry that returns is not held back", () => {
  assert.equal(newestShown([], 9), 9);
  assert.equal(newestShown(entries(8), 9), 9);
});
