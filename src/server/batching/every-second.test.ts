import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { EverySecond } from "./every-second.ts";

/** Collects numbers, and records each write of them. The clock stands still until `tick`. */
function collect(t: test.TestContext, options: { firstMs?: number } = {}) {
  let now = 0;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(performance, "now", () => now);
  const writes: number[][] = [];
  let waiting: number[] = [];
  const state = { write: async (_numbers: number[]) => {} };
  const timer = new EverySecond(async () => {
    const numbers = waiting;
    waiting = [];
    writes.push(numbers);
    await state.write(numbers);
  }, options);
  const add = (...numbers: number[]) => {
    waiting.push(...numbers);
    timer.schedule();
  };
  const tick = async (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
    await setImmediate();
  };
  return { writes, state, timer, add, tick };
}

test("the first after a quiet second is written immediately, and the others of that second together", async (t) => {
  const { writes, add, tick } = collect(t);
  add(1);
  await tick(0);
  add(2);
  add(3);
  await tick(999);
  assert.deepEqual(writes, [[1]]);
  await tick(1);
  assert.deepEqual(writes, [[1], [2, 3]]);
});

test("with a first wait, the first is written together with what follows", async (t) => {
  const { writes, add, tick } = collect(t, { firstMs: 1_000 });
  add(1);
  await tick(999);
  add(2);
  assert.deepEqual(writes, []);
  await tick(1);
  assert.deepEqual(writes, [[1, 2]]);
});

test("a slow write delays the next one instead of overlapping it", async (t) => {
  const { writes, state, add, tick } = collect(t);
  const slow = Promise.withResolvers<void>();
  state.write = () => slow.promise;
  add(1);
  await tick(0);
  add(2);
  await tick(5_000);
  assert.deepEqual(writes, [[1]]);
  slow.resolve();
  await setImmediate();
  assert.deepEqual(writes, [[1], [2]]);
});

test("what a failed write collects again is written a second later", async (t) => {
  const { writes, state, add, tick } = collect(t);
  state.write = async (numbers) => {
    state.write = async () => {};
    add(...numbers);
  };
  add(1);
  await tick(0);
  add(2);
  await tick(1_000);
  assert.deepEqual(writes, [[1], [1, 2]]);
});

test("close waits for the write in progress and writes the rest", async (t) => {
  const { writes, state, timer, add, tick } = collect(t);
  const slow = Promise.withResolvers<void>();
  state.write = () => slow.promise;
  add(1);
  await tick(0);
  add(2);
  const closed = timer.close();
  slow.resolve();
  await closed;
  assert.deepEqual(writes, [[1], [2]]);
});

test("after close, no timer is left, even if the last write failed", async (t) => {
  const { writes, state, timer, add, tick } = collect(t);
  state.write = async (numbers) => add(...numbers);
  add(1);
  await timer.close();
  await tick(10_000);
  assert.deepEqual(writes, [[1]]);
});
