import assert from "node:assert/strict";
import { test } from "node:test";
import { store } from "./store.ts";

test("listeners are called after each change until they unsubscribe", () => {
  const count = store(0);
  const seen: number[] = [];
  const stop = count.subscribe(() => seen.push(count.get()));
  count.set(1);
  count.set(2);
  stop();
  count.set(3);
  assert.deepEqual(seen, [1, 2]);
  assert.equal(count.get(), 3);
});

test("the first listener starts the source and the last one stops it", () => {
  const log: string[] = [];
  const clock = store(0, () => {
    log.push("start");
    return () => log.push("stop");
  });
  const first = clock.subscribe(() => {});
  const second = clock.subscribe(() => {});
  first();
  assert.deepEqual(log, ["start"]);
  second();
  assert.deepEqual(log, ["start", "stop"]);
});
