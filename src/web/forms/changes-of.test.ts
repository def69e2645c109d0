import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf, isChanged, orNull } from "./changes-of.ts";

const start = { name: "Checkout", color: "#2f6fb0", ends_on: null as string | null };

test("only fields that differ from the start are changes, null and empty text included", () => {
  assert.deepEqual(changesOf(start, { ...start }), {});
  assert.deepEqual(changesOf(start, { ...start, name: "" }), { name: "" });
  assert.deepEqual(changesOf({ ...start, ends_on: "2026-11-03" }, start), { ends_on: null });
  assert.equal(isChanged(start, { ...start }), false);
  assert.equal(isChanged(start, { ...start, color: "#c23b3b" }), true);
});

test("blank text counts as empty", () => {
  assert.equal(orNull(" \n"), null);
  assert.equal(orNull(" a "), " a ");
});
