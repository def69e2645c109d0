import assert from "node:assert/strict";
import { test } from "node:test";
import { atMost } from "./at-most.ts";

test("further calls wait until one has ended, in their order, even if it fails", async () => {
  const limited = atMost(2);
  const started: number[] = [];
  const calls = Array.from({ length: 5 }, (_, n) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const result = limited(() => {
      started.push(n);
      return promise;
    });
    return { result, resolve, reject };
  });
  assert.deepEqual(started, [0, 1]);
  calls[1]?.reject(new Error("no database"));
  await assert.rejects(calls[1]?.result ?? Promise.resolve(), /no database/);
  assert.deepEqual(started, [0, 1, 2]);
  for (const { resolve } of calls) resolve();
  await Promise.all(calls.filter((_, n) => n !== 1).map(({ result }) => result));
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
  assert.equal(await limited(async () => "again"), "again");
});
