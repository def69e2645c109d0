import assert from "node:assert/strict";
import { test } from "node:test";
import { toastList } from "./toasts.ts";

const titles = (list: ReturnType<typeof toastList>) => list.shown().map(({ title }) => title);

test("three are shown at most, the newest last", () => {
  const list = toastList();
  for (const title of ["a", "b", "c", "d"]) list.add({ title });
  assert.deepEqual(titles(list), ["b", "c", "d"]);
});

test("the same words again replace the ones that are there", () => {
  const list = toastList();
  list.add({ title: "a" });
  list.add({ title: "b" });
  list.add({ title: "a" });
  assert.deepEqual(titles(list), ["b", "a"]);
});

test("an error stays until it is closed, other messages six seconds", () => {
  const list = toastList();
  list.add({ title: "a", tone: "danger" });
  const close = list.add({ title: "b" });
  assert.deepEqual(
    list.shown().map(({ seconds }) => seconds),
    [0, 6],
  );
  close();
  close();
  assert.deepEqual(titles(list), ["a"]);
});
