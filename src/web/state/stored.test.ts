import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { provideLocalStorage } from "../../../test/support/local-storage.ts";
import { stored } from "./stored.ts";

let entries = new Map<string, string>();
beforeEach(() => {
  entries = provideLocalStorage();
});

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

test("a written value is read back", () => {
  stored("a", text, "").write("hello");
  assert.equal(stored("a", text, "").read(), "hello");
});

test("writing the initial value deletes the entry", () => {
  const draft = stored("a", text, "");
  draft.write("hello");
  draft.write("");
  assert.equal(entries.has("a"), false);
});

test("a value of another shape reads as the initial value", () => {
  entries.set("a", "[1]");
  assert.equal(stored("a", text, "none").read(), "none");
});

test("plain text from an early version is read", () => {
  entries.set("a", "not JSON");
  assert.equal(stored("a", text, "").read(), "not JSON");
});

test("blocked storage neither throws nor keeps anything", () => {
  const blocked = () => {
    throw new Error("blocked");
  };
  Object.assign(localStorage, { getItem: blocked, setItem: blocked, removeItem: blocked });
  const draft = stored("a", text, "none");
  draft.write("hello");
  assert.equal(draft.read(), "none");
});
