import assert from "node:assert/strict";
import { test } from "node:test";
import { collectAtRest, collectGarbage, makeRestDetector } from "./collect-at-rest.ts";

test("garbage is collected once after the start and once after each load", () => {
  const isAtRest = makeRestDetector();
  const loads = [0.9, 0.1, 0.01, 0.01, 0.1, 0.01, 0.5, 0.1, 0.04, 0];
  assert.deepEqual(loads.map(isAtRest), [false, false, true, false, false, false, false, false, true, false]);
});

test("a collection frees memory that nothing refers to", async () => {
  const garbage = new WeakRef({});
  await collectGarbage();
  assert.equal(garbage.deref(), undefined);
});

test("a process that is idle after its start collects garbage", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { stop } = collectAtRest(async () => resolve(), 50);
  // The timer of the product does not keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  await promise;
  clearInterval(alive);
  stop();
});
