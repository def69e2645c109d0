import assert from "node:assert/strict";
import { test } from "node:test";
import { Batcher } from "./batcher.ts";

type Limits = ConstructorParameters<typeof Batcher>[1];

/** A batcher whose batches end when the test ends them. */
function controlled(limits: Partial<Limits> = {}) {
  const runs: { items: number[]; end(results?: string[]): void; fail(error: Error): void }[] = [];
  const waiting: { count: number; reached: () => void }[] = [];
  const batcher = new Batcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        runs.push({
          items,
          end: (results = items.map((item) => `done ${item}`)) => resolve(results),
          fail: reject,
        });
        for (const { count, reached } of waiting) if (runs.length >= count) reached();
      }),
    { maxItems: 100, ...limits },
  );
  return {
    batcher,
    runs,
    /** Resolves with the n-th batch, counted from 1, when it has started. */
    run: async (n: number) => {
      if (runs.length < n) await new Promise<void>((reached) => waiting.push({ count: n, reached }));
      return runs[n - 1] as (typeof runs)[0];
    },
  };
}

test("a single call runs at once and gets its result", async () => {
  const { batcher, run } = controlled();
  const answer = batcher.add(1);
  const first = await run(1);
  assert.deepEqual(first.items, [1]);
  first.end();
  assert.equal(await answer, "done 1");
});

test("calls of one turn of the event loop share a batch, and each gets its own result", async () => {
  const { batcher, run } = controlled();
  const answers = [1, 2, 3].map((item) => batcher.add(item));
  const first = await run(1);
  assert.deepEqual(first.items, [1, 2, 3]);
  first.end(["a", "b", "c"]);
  assert.deepEqual(await Promise.all(answers), ["a", "b", "c"]);
});

test("calls that arrive while a batch is in flight wait for it and share the next one", async () => {
  const { batcher, run, runs } = controlled();
  const first = batcher.add(1);
  await run(1);
  const later = [2, 3].map((item) => batcher.add(item));
  runs[0]?.end();
  assert.equal(await first, "done 1");
  assert.deepEqual((await run(2)).items, [2, 3]);
  runs[1]?.end();
  assert.deepEqual(await Promise.all(later), ["done 2", "done 3"]);
});

test("no call resolves before its own batch has ended", async () => {
  const { batcher, run, runs } = controlled({ maxItems: 1 });
  const ended: string[] = [];
  const answers = [1, 2].map((item) => batcher.add(item).then((result) => ended.push(result)));
  (await run(1)).end();
  await run(2);
  await answers[0];
  assert.deepEqual(ended, ["done 1"]);
  runs[1]?.end();
  await Promise.all(answers);
  assert.deepEqual(ended, ["done 1", "done 2"]);
});

test("a batch takes at most maxItems items, in the order of arrival", async () => {
  const { batcher, run } = controlled({ maxItems: 2 });
  const answers = [1, 2, 3, 4, 5].map((item) => batcher.add(item));
  for (const [n, items] of [[1, 2], [3, 4], [5]].entries()) {
    const batch = await run(n + 1);
    assert.deepEqual(batch.items, items);
    batch.end();
  }
  assert.deepEqual(await Promise.all(answers), ["done 1", "done 2", "done 3", "done 4", "done 5"]);
});

test("if a batch fails, all of its calls fail and no others do", async () => {
  const { batcher, run } = controlled({ maxItems: 2 });
  const answers = [1, 2, 3].map((item) => batcher.add(item).catch((error: Error) => error.message));
  (await run(1)).fail(new Error("no database"));
  (await run(2)).end();
  assert.deepEqual(await Promise.all(answers), ["no database", "no database", "done 3"]);
  const after = batcher.add(4);
  (await run(3)).end();
  assert.equal(await after, "done 4");
});

test("if run throws synchronously, its calls fail", async () => {
  const batcher = new Batcher<number, string>(
    () => {
      throw new Error("at once");
    },
    { maxItems: 1 },
  );
  await assert.rejects(batcher.add(1), { message: "at once" });
  await assert.rejects(batcher.add(2), { message: "at once" });
});

test("after a batch of several calls, the next one waits for further calls", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { batcher, run, runs } = controlled({ gatherMs: 10 });
  const answers = [1, 2].map((item) => batcher.add(item));
  (await run(1)).end();
  await Promise.all(answers);
  const later = [batcher.add(3)];
  await new Promise((turn) => setImmediate(turn));
  later.push(batcher.add(4));
  t.mock.timers.tick(9);
  await new Promise((turn) => setImmediate(turn));
  assert.equal(runs.length, 1);
  t.mock.timers.tick(1);
  const second = await run(2);
  assert.deepEqual(second.items, [3, 4]);
  second.end();
  await Promise.all(later);
});

test("after a batch of one call, the next one does not wait", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { batcher, run } = controlled({ gatherMs: 10 });
  const answers = [batcher.add(1)];
  const first = await run(1);
  answers.push(batcher.add(2));
  first.end();
  const second = await run(2);
  assert.deepEqual(second.items, [2]);
  second.end();
  await Promise.all(answers);
});
