import assert from "node:assert/strict";
import { test } from "node:test";
import { StormQueue, type StormLimits } from "./storm-queue.ts";

/** A queue whose batches end when the test ends them. */
function controlled(limits: Partial<StormLimits<number>> = {}) {
  const runs: { items: number[]; end(results?: string[]): void; fail(error: Error): void }[] = [];
  const waiting: { count: number; reached: () => void }[] = [];
  const queue = new StormQueue<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        runs.push({
          items,
          end: (results = items.map((item) => `done ${item}`)) => resolve(results),
          fail: reject,
        });
        for (const { count, reached } of waiting) if (runs.length >= count) reached();
      }),
    { atOnce: 1, maxItems: 100, maxWeight: Infinity, weigh: () => 1, laneOf: () => 0, ...limits },
  );
  return {
    queue,
    runs,
    /** Resolves with the n-th batch, counted from 1, when it has started. */
    run: async (n: number) => {
      if (runs.length < n) await new Promise<void>((reached) => waiting.push({ count: n, reached }));
      return runs[n - 1] as (typeof runs)[0];
    },
  };
}

test("a single call runs at once and gets its result", async () => {
  const { queue, run } = controlled();
  const answer = queue.add(1);
  const first = await run(1);
  assert.deepEqual(first.items, [1]);
  assert.equal(queue.waiting, 0);
  first.end();
  assert.equal(await answer, "done 1");
});

test("calls of one turn of the event loop share a batch, and each gets its own result", async () => {
  const { queue, run } = controlled();
  const answers = [1, 2, 3].map((item) => queue.add(item));
  const first = await run(1);
  assert.deepEqual(first.items, [1, 2, 3]);
  first.end(["a", "b", "c"]);
  assert.deepEqual(await Promise.all(answers), ["a", "b", "c"]);
});

/** The order in which two batches of `count` calls are sent and answered. Like node-postgres, `run` sends in a later tick. */
async function orderOf(count: number) {
  const order: string[] = [];
  const firstEnds = Promise.withResolvers<void>();
  const queue = new StormQueue<number, void>(
    async (items) => {
      const batch = (items[0] ?? 0) / count;
      await new Promise<void>((sent) => process.nextTick(sent));
      order.push(`batch ${batch} sent`);
      if (batch === 0) await firstEnds.promise;
      return items.map(() => undefined);
    },
    { atOnce: 1, maxItems: count, maxWeight: Infinity, weigh: () => 1, laneOf: () => 0 },
  );
  const answers = Array.from({ length: 2 * count }, (_, item) => queue.add(item));
  void answers[0]?.then(() => order.push("batch 0 answered"));
  setImmediate(firstEnds.resolve);
  await Promise.all(answers);
  return order;
}

test("many callers get their results after the next batch has been sent", async () => {
  assert.deepEqual(await orderOf(16), ["batch 0 sent", "batch 1 sent", "batch 0 answered"]);
});

test("few callers get their results at once", async () => {
  assert.deepEqual(await orderOf(15), ["batch 0 sent", "batch 0 answered", "batch 1 sent"]);
});

test("calls that arrive while a batch is in flight wait for it and share the next one", async () => {
  const { queue, run, runs } = controlled();
  const first = queue.add(1);
  await run(1);
  const later = [2, 3].map((item) => queue.add(item));
  assert.equal(queue.waiting, 2);
  runs[0]?.end();
  assert.equal(await first, "done 1");
  assert.deepEqual((await run(2)).items, [2, 3]);
  assert.equal(queue.waiting, 0);
  runs[1]?.end();
  assert.deepEqual(await Promise.all(later), ["done 2", "done 3"]);
});

test("no call resolves before its own batch has ended", async () => {
  const { queue, run, runs } = controlled({ maxItems: 1 });
  const ended: string[] = [];
  const answers = [1, 2].map((item) => queue.add(item).then((result) => ended.push(result)));
  (await run(1)).end();
  await run(2);
  await answers[0];
  assert.deepEqual(ended, ["done 1"]);
  runs[1]?.end();
  await Promise.all(answers);
  assert.deepEqual(ended, ["done 1", "done 2"]);
});

test("a batch takes at most maxItems items, in the order of arrival", async () => {
  const { queue, run } = controlled({ maxItems: 2 });
  const answers = [1, 2, 3, 4, 5].map((item) => queue.add(item));
  for (const [n, items] of [[1, 2], [3, 4], [5]].entries()) {
    const batch = await run(n + 1);
    assert.deepEqual(batch.items, items);
    batch.end();
  }
  assert.deepEqual(await Promise.all(answers), ["done 1", "done 2", "done 3", "done 4", "done 5"]);
});

test("a batch weighs at most maxWeight, and an item that is heavier gets a batch of its own", async () => {
  const { queue, run } = controlled({ maxWeight: 10, weigh: (item) => item });
  const answers = [4, 6, 1, 25, 10, 1].map((item) => queue.add(item));
  for (const [n, items] of [[4, 6], [1], [25], [10], [1]].entries()) {
    const batch = await run(n + 1);
    assert.deepEqual(batch.items, items);
    batch.end();
  }
  await Promise.all(answers);
});

test("if a batch fails, all of its calls fail and no others do", async () => {
  const { queue, run } = controlled({ maxItems: 2 });
  const answers = [1, 2, 3].map((item) => queue.add(item).catch((error: Error) => error.message));
  (await run(1)).fail(new Error("no database"));
  (await run(2)).end();
  assert.deepEqual(await Promise.all(answers), ["no database", "no database", "done 3"]);
  const after = queue.add(4);
  (await run(3)).end();
  assert.equal(await after, "done 4");
});

test("if run throws synchronously, its calls fail", async () => {
  const queue = new StormQueue<number, string>(
    () => {
      throw new Error("at once");
    },
    { atOnce: 1, maxItems: 1, maxWeight: Infinity, weigh: () => 1, laneOf: () => 0 },
  );
  await assert.rejects(queue.add(1), { message: "at once" });
  await assert.rejects(queue.add(2), { message: "at once" });
});

test("at most atOnce batches run concurrently", async () => {
  const { queue, run, runs } = controlled({ atOnce: 2, maxItems: 1 });
  const answers = [1, 2, 3].map((item) => queue.add(item));
  await run(2);
  assert.deepEqual(
    runs.map((batch) => batch.items),
    [[1], [2]],
  );
  assert.equal(queue.waiting, 1);
  // The second batch ends first, so the third starts.
  runs[1]?.end();
  assert.deepEqual((await run(3)).items, [3]);
  runs[2]?.end();
  runs[0]?.end();
  assert.deepEqual(await Promise.all(answers), ["done 1", "done 2", "done 3"]);
});

test("a call made when a batch resolves starts the next batch", async () => {
  const { queue, run } = controlled();
  const chain = queue.add(1).then(() => queue.add(2));
  (await run(1)).end();
  (await run(2)).end();
  assert.equal(await chain, "done 2");
});

/** Lanes are tens: 1, 12 and 19 are of different lanes than 20. */
const laneOf = (item: number) => Math.floor(item / 10);

test("items of lanes with few do not wait for a batch of a lane with many", async () => {
  const { queue, run } = controlled({ laneOf, many: 3, maxItems: 4 });
  const answers = [10, 11, 12, 13, 20].map((item) => queue.add(item));
  assert.deepEqual((await run(1)).items, [20]);
  assert.deepEqual((await run(2)).items, [10, 11, 12, 13]);
  answers.push(queue.add(30), queue.add(14));
  (await run(1)).end();
  assert.deepEqual((await run(3)).items, [30], "14 waits, because its lane is in a batch");
  (await run(2)).end();
  (await run(3)).end();
  assert.deepEqual((await run(4)).items, [14]);
  (await run(4)).end();
  await Promise.all(answers);
});

test("several lanes with many items share their batches, and those with few share theirs", async () => {
  const { queue, run } = controlled({ laneOf, many: 3, maxItems: 4 });
  const answers = [10, 11, 12, 20, 21, 22, 30, 40, 41].map((item) => queue.add(item));
  assert.deepEqual((await run(1)).items, [30, 40, 41]);
  assert.deepEqual((await run(2)).items, [10, 20, 11, 21]);
  (await run(2)).end();
  (await run(1)).end();
  assert.deepEqual((await run(3)).items, [12, 22], "few are left of both");
  (await run(3)).end();
  await Promise.all(answers);
});

test("lanes with many items rest after a batch while others have few", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { queue, run, runs } = controlled({ laneOf, many: 3, maxItems: 4 });
  const answers = [10, 11, 12, 13, 14, 15, 16, 20].map((item) => queue.add(item));
  (await run(1)).end();
  (await run(2)).end();
  await answers[0];
  answers.push(queue.add(30));
  assert.deepEqual((await run(3)).items, [30]);
  assert.equal(runs.length, 3, "14, 15 and 16 still wait");
  t.mock.timers.runAll();
  assert.deepEqual((await run(4)).items, [14, 15, 16]);
  for (const { end } of runs.slice(2)) end();
  await Promise.all(answers);
});

test("items that arrive for a resting lane wait for the end of its rest, however few they are", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const { queue, run, runs } = controlled({ laneOf, many: 3 });
  const answers = [10, 11, 12, 20].map((item) => queue.add(item));
  (await run(1)).end();
  const many = await run(2);
  now = 1;
  many.end();
  await answers[0];
  answers.push(queue.add(13), queue.add(21));
  assert.deepEqual((await run(3)).items, [21]);
  runs[2]?.end();
  await answers.at(-1);
  assert.equal(runs.length, 3, "13 still waits");
  now = 100;
  t.mock.timers.runAll();
  assert.deepEqual((await run(4)).items, [13]);
  runs[3]?.end();
  await Promise.all(answers);
});

test("while a lane rests, its results are spread over the rest and the next batch", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const { queue, run } = controlled({ laneOf, many: 3 });
  let answered = 0;
  const answers = [10, 11, 12, 13, 14, 15, 16, 17, 18, 20].map((item) =>
    queue.add(item).then(() => (answered += 1)),
  );
  (await run(1)).end();
  await answers.at(-1);
  answered = 0;
  now += 3;
  (await run(2)).end();
  await answers[0];
  const counts = [answered];
  for (let ms = 1; ms < 9; ms++) {
    now++;
    t.mock.timers.tick(1);
    await Promise.resolve();
    counts.push(answered);
  }
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a batch starts before all calls of the last one get their results, some in each turn", async () => {
  const { queue, run, runs } = controlled({ answersPerTurn: 2, maxItems: 5 });
  const seen: string[] = [];
  const answers = [1, 2, 3, 4, 5, 6].map((item) =>
    queue.add(item).then(() => seen.push(`${item} when ${runs.length} had started`)),
  );
  (await run(1)).end();
  await answers[0];
  setImmediate(() => seen.push("another turn"));
  (await run(2)).end();
  await Promise.all(answers);
  assert.deepEqual(seen.slice(0, 2), ["1 when 2 had started", "2 when 2 had started"]);
  assert.ok(seen.indexOf("another turn") < seen.indexOf("5 when 2 had started"), seen.join(", "));
});
