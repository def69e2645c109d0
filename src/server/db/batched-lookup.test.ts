import assert from "node:assert/strict";
import { test } from "node:test";
import { batchedLookup } from "./batched-lookup.ts";

test("lookups that arrive while one is in flight share the next one", async () => {
  const reads: { items: number[]; end: PromiseWithResolvers<number[]> }[] = [];
  const started: (() => void)[] = [];
  const read = batchedLookup((items: number[]) => {
    const end = Promise.withResolvers<number[]>();
    reads.push({ items, end });
    started.shift()?.();
    return end.promise;
  });
  const next = () => new Promise<void>((resolve) => started.push(resolve));
  const start = next();
  const first = read(1);
  await start;
  const others = [read(2), read(3)];
  const second = next();
  reads[0]?.end.resolve([10]);
  assert.equal(await first, 10);
  await second;
  reads[1]?.end.resolve([20, 30]);
  assert.deepEqual(await Promise.all(others), [20, 30]);
  assert.deepEqual(
    reads.map(({ items }) => items),
    [[1], [2, 3]],
  );
});

test("if a lookup fails, all of its callers get the error, and later ones do not", async () => {
  let isDown = true;
  const read = batchedLookup(async (items: number[]) => {
    if (isDown) throw new Error("no database");
    return items;
  });
  const failed = await Promise.allSettled([read(1), read(2)]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  isDown = false;
  assert.equal(await read(3), 3);
});
