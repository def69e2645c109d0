import assert from "node:assert/strict";
import { test } from "node:test";
import { whenParsed } from "./when-parsed.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("senders take turns, however many requests one of them has", async () => {
  const seen: string[] = [];
  for (const request of ["many 1", "many 2", "many 3", "few 1", "other 1"])
    whenParsed(request.split(" ")[0], () => seen.push(request));
  await nextTurn();
  assert.deepEqual(seen, ["many 1", "few 1", "other 1", "many 2", "many 3"]);
});

test("callbacks beyond two milliseconds wait for the next turn of the event loop", async (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const seen: number[] = [];
  for (const n of [1, 2, 3, 4, 5])
    whenParsed("many", () => {
      seen.push(n);
      now++;
    });
  await nextTurn();
  assert.deepEqual(seen, [1, 2]);
  await nextTurn();
  assert.deepEqual(seen, [1, 2, 3, 4]);
  await nextTurn();
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
});

test("a request that is received while others wait is called back after them", async () => {
  const seen: string[] = [];
  whenParsed("one", () => {
    seen.push("first");
    whenParsed("one", () => seen.push("second"));
  });
  await nextTurn();
  await nextTurn();
  assert.deepEqual(seen, ["first", "second"]);
});
