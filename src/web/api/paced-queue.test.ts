import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "./client.ts";
import { pacedQueue, type QueueProgress } from "./paced-queue.ts";

const limited = () => new ApiError(429, { message: "Too many requests" }, 20);

/** A queue whose requests and pauses end when the test says so. */
function started() {
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const finished = Promise.withResolvers<QueueProgress>();
  const failures = new Map<string, unknown>();
  let answer = Promise.withResolvers<unknown>();
  const queue = pacedQueue<string>({
    send: async (item) => {
      log.push(item);
      const error = await answer.promise;
      answer = Promise.withResolvers();
      if (error !== undefined) throw error;
    },
    onFailure: (item, error) => failures.set(item, error),
    onProgress: (progress) => {
      if (progress.isWaiting) log.push("limited");
      if (progress.left === 0) finished.resolve(progress);
    },
    wait: (ms) => {
      log.push(`wait ${ms}`);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  const settle = async (error?: unknown) => {
    answer.resolve(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const goOn = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, log, failures, settle, goOn, finished: finished.promise };
}

test("items are sent one after another, and items added meanwhile join the count", async () => {
  const { queue, log, settle, finished } = started();
  queue.add(["a", "b"]);
  assert.deepEqual(log, ["a"]);
  queue.add(["c"]);
  for (let answers = 0; answers < 3; answers++) await settle();
  assert.deepEqual(log, ["a", "b", "c"]);
  assert.deepEqual(await finished, { done: 3, failed: 0, stopped: 0, left: 0, isWaiting: false });
});

test("at the rate limit, the same item is sent again after Retry-After", async () => {
  const { queue, log, settle, goOn, finished } = started();
  queue.add(["a", "b"]);
  await settle();
  await settle(limited());
  assert.deepEqual(log, ["a", "b", "limited", "wait 20000"]);
  await goOn();
  await settle();
  assert.deepEqual(log.slice(-1), ["b"]);
  assert.equal((await finished).done, 2);
});

test("a failure does not stop the others", async () => {
  const { queue, failures, settle, finished } = started();
  const error = new Error("gone");
  queue.add(["a", "b"]);
  await settle(error);
  await settle();
  assert.deepEqual([...failures], [["a", error]]);
  assert.deepEqual(await finished, { done: 1, failed: 1, stopped: 0, left: 0, isWaiting: false });
});

test("stopping returns what was not sent, and the request in flight still counts", async () => {
  const { queue, log, settle, finished } = started();
  queue.add(["a", "b", "c"]);
  assert.deepEqual(queue.stop(), ["b", "c"]);
  await settle();
  assert.deepEqual(log, ["a"]);
  assert.deepEqual(await finished, { done: 1, failed: 0, stopped: 2, left: 0, isWaiting: false });
});

test("stopping ends a pause", async () => {
  const { queue, settle, finished } = started();
  queue.add(["a", "b"]);
  await settle(limited());
  assert.deepEqual(queue.stop(), ["a", "b"]);
  assert.deepEqual(await finished, { done: 0, failed: 0, stopped: 2, left: 0, isWaiting: false });
});
