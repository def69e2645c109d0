import assert from "node:assert/strict";
import { test } from "node:test";
import { runBounded, summaryOf } from "./run-bounded.ts";

test("every item is processed, and no more tasks run at a time than allowed", async () => {
  let running = 0;
  let most = 0;
  const seen: number[] = [];
  await runBounded([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    seen.push(item);
    running--;
  });
  assert.equal(most, 3);
  assert.deepEqual(seen.toSorted(), [1, 2, 3, 4, 5, 6, 7]);
});

test("a failure is reported with its error in the order of the items, and the others still run", async () => {
  const outcomes = await runBounded(["a", "b", "c"], 2, async (item) => {
    await Promise.resolve();
    if (item === "b") throw new Error("no");
  });
  assert.deepEqual(
    outcomes.map(({ item, error }) => [item, error instanceof Error ? error.message : undefined]),
    [
      ["a", undefined],
      ["b", "no"],
      ["c", undefined],
    ],
  );
  assert.equal(summaryOf(outcomes, "changed"), "2 changed · 1 failed");
  assert.equal(summaryOf(outcomes.slice(0, 1), "changed"), "1 changed");
});

test("without items no task runs", async () => {
  assert.deepEqual(await runBounded([], 4, () => Promise.reject(new Error("never"))), []);
});
