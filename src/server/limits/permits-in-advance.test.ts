import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { Pool } from "pg";
import { eventually, waitUntil } from "../../../test/support/eventually.ts";
import { allowedOf, newKey, takeMany, useRateLimits } from "../../../test/support/rate-limits.ts";
import { RateLimiter } from "./rate-limit.ts";

const { url, pool, second, letPass, countedOf } = await useRateLimits();

test("permits of a busy key are taken in advance, so that most requests need no statement", async () => {
  const counted = new Pool({ connectionString: url, max: 1 });
  const { query } = counted;
  let statements = 0;
  counted.query = function count(this: Pool, ...args: unknown[]) {
    statements++;
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    const clock = { ms: 0 };
    const limiter = new RateLimiter(counted, () => clock.ms);
    const key = newKey();
    for (let n = 0; n < 600; n++, clock.ms += 10) {
      const { allowed, remaining } = await limiter.take(key, 1_000);
      assert.deepEqual([allowed, remaining], [true, 999 - n]);
    }
    assert.ok(statements < 30, `${statements} statements for 600 requests in 6 seconds`);
    assert.ok((await countedOf(key)) > 600);
    await limiter.close();
    assert.equal(await countedOf(key), 600, "unused permits are returned");
  } finally {
    await counted.end();
  }
});

test("a stream of requests never waits for permits, because they are renewed before they expire", async () => {
  const watched = new Pool({ connectionString: url, max: 1 });
  const { query } = watched;
  let statement: unknown;
  watched.query = function watch(this: Pool, ...args: unknown[]) {
    return (statement = Reflect.apply(query, this, args));
  } as typeof query;
  /** A renewal is sent in the next turn of the event loop, and received in the one after its answer. */
  const renewed = async () => {
    await nextTurn();
    await statement;
    await nextTurn();
  };
  try {
    const clock = { ms: 0 };
    const limiter = new RateLimiter(watched, () => clock.ms);
    const key = newKey();
    for (let n = 0; n < 60; n++, clock.ms += 100) await limiter.take(key, 1_000);
    for (let n = 60; n < 600; n++, clock.ms += 100) {
      const verdict = limiter.takeKnown(key, 1_000);
      assert.deepEqual([verdict?.allowed, verdict?.remaining], [true, 999 - n]);
      await renewed();
    }
    await limiter.close();
    assert.equal(await countedOf(key), 600, "unused permits are returned");
  } finally {
    await watched.end();
  }
});

test("requests that are seconds apart take nothing in advance", async () => {
  const clock = { ms: 0 };
  const limiter = new RateLimiter(pool, () => clock.ms);
  const key = newKey();
  for (let n = 1; n <= 5; n++, clock.ms += 2_500) {
    await limiter.take(key, 1_000);
    assert.equal(await countedOf(key), n);
  }
});

test("a limiter forgets keys that are not used, and returns expired permits", async () => {
  const clock = { ms: 0 };
  const limiter = new RateLimiter(pool, () => clock.ms);
  const [busy, exhausted, other] = [newKey(), newKey(), newKey()];
  for (let n = 0; n < 40; n++) await limiter.take(busy, 1_000);
  await takeMany(limiter, exhausted, 2, 3);
  await limiter.take(other, 5);
  assert.equal(limiter.size, 3);
  clock.ms += 2_000;
  assert.ok((await countedOf(busy)) > 40);
  await limiter.tidy();
  assert.equal(await countedOf(busy), 40);
  clock.ms += 2_000;
  await limiter.tidy();
  clock.ms += 60_000;
  await limiter.tidy();
  assert.equal(limiter.size, 0);
});

test("a limiter tidies up by itself, so that many clients do not fill the memory of a web process", async () => {
  const clock = { ms: 0 };
  const limiter = new RateLimiter(pool, () => clock.ms);
  await Promise.all(Array.from({ length: 100 }, () => takeMany(limiter, newKey(), 1, 2)));
  assert.equal(limiter.size, 100);
  clock.ms += 70_000;
  await eventually(() => limiter.size, 0);
});

test("a key that another process exhausts is allowed again once unused permits are returned", async () => {
  const clock = { ms: 0 };
  const [first, other] = [pool, second].map((on) => new RateLimiter(on, () => clock.ms)) as [
    RateLimiter,
    RateLimiter,
  ];
  const key = newKey();
  for (let n = 0; n < 40; n++) await first.take(key, 500);
  assert.ok(allowedOf(await takeMany(other, key, 500, 500)) < 460);
  await first.close();
  clock.ms += 4_000;
  await letPass(key, 4);
  await takeMany(other, key, 500, 500);
  assert.equal(await countedOf(key), 500);
});

/** `take`, `kill`, `close` and `tidy` name one of three limiters; `pass` and `setBack` are seconds. */
type Step =
  | { take: number; times: number }
  | { pass: number }
  | { kill: number }
  | { close: number }
  | { tidy: number }
  | { setBack: number };

test("with permits taken in advance, lost processes and a clock set back, no 60 seconds exceed the limit", async () => {
  const which = fc.nat({ max: 2 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ take: which, times: fc.integer({ min: 1, max: 40 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({ pass: fc.constantFrom(1, 2, 3, 9, 58, 60) }),
    },
    { weight: 1, arbitrary: fc.record({ kill: which }) },
    { weight: 1, arbitrary: fc.record({ close: which }) },
    { weight: 1, arbitrary: fc.record({ tidy: which }) },
    { weight: 1, arbitrary: fc.record({ setBack: fc.constantFrom(1, 3, 30, 172_800) }) },
  );
  /** Permits taken in advance are used a second later, and others once the second in which they were taken is forgotten. */
  const late: [number, Step[]] = [
    100,
    [{ take: 0, times: 30 }, { pass: 1 }, { take: 0, times: 100 }, { pass: 60 }, { take: 2, times: 100 }],
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 20, max: 100 }),
      fc.array(step, { minLength: 10, maxLength: 40 }),
      async (limit, steps) => {
        const key = newKey();
        let passed = 0;
        const clock = () => performance.now() + passed * 1_000;
        const open = () => new RateLimiter(pool, clock);
        const limiters = [open(), open(), open()];
        /** The seconds, by a clock that is never set back, before and after each allowed request. */
        const allowed: { before: number; after: number }[] = [];
        const second = async () => {
          const { rows } = await pool.query(
            "select floor(extract(epoch from clock_timestamp()))::int as now",
          );
          return rows[0].now + passed;
        };
        const pass = async (seconds: number) => {
          passed += seconds;
          await letPass(key, seconds);
        };
        for (const one of steps) {
          if ("pass" in one) await pass(one.pass);
          else if ("kill" in one) limiters[one.kill] = open();
          else if ("close" in one) await limiters[one.close]?.close();
          else if ("tidy" in one) await limiters[one.tidy]?.tidy();
          else if ("setBack" in one) await letPass(key, -one.setBack);
          else {
            const before = await second();
            let count = 0;
            for (let n = 0; n < one.times; n++)
              if ((await limiters[one.take]?.take(key, limit))?.allowed) count++;
            const after = await second();
            for (let n = 0; n < count; n++) allowed.push({ before, after });
          }
        }
        allowed.forEach(({ before }, n) => {
          const oneTooMany = allowed[n + limit];
          assert.ok(!oneTooMany || oneTooMany.after - before > 60, "more than the limit in 60 seconds");
        });
        // Only a statement notices that the clock was set back.
        await open().take(key, limit);
        await pass(63);
        assert.equal(
          allowedOf(await takeMany(open(), key, limit, limit + 1)),
          limit,
          "all permits are free again",
        );
      },
    ),
    { numRuns: 25, examples: [late] },
  );
});

test("several processes, one of them killed, together allow at most the limit", async () => {
  const key = newKey();
  const limit = 10_000;
  const script = path.join(import.meta.dirname, "../../../test/support/take-permits-forever.ts");
  const processes = Array.from({ length: 3 }, () => {
    const child = spawn(process.execPath, [script, url, key, String(limit)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const state = { child, allowed: -1 };
    child.stdout.setEncoding("utf8").on("data", (lines: string) => {
      state.allowed = Number(lines.trimEnd().split("\n").at(-1));
    });
    return state;
  });
  const total = () => processes.reduce((sum, { allowed }) => sum + allowed, 0);
  try {
    await waitUntil(() => processes.every(({ allowed }) => allowed === 0));
    for (const { child } of processes) child.stdin.end("start\n");
    await waitUntil(() => processes.every(({ allowed }) => allowed > 100));
    const [victim] = processes;
    victim?.child.kill("SIGKILL");
    // The killed process may have permits that nobody returns.
    await eventually(() => countedOf(key), limit);
    for (const { child } of processes.slice(1)) child.kill("SIGTERM");
    await Promise.all(
      processes.map(async ({ child }) => {
        if (child.exitCode === null && child.signalCode === null) await once(child, "close");
      }),
    );
    const left = allowedOf(await takeMany(new RateLimiter(pool), key, limit, limit));
    assert.ok(total() + left <= limit, `${total()} and ${left} of ${limit}`);
    assert.ok(total() + left > limit / 2, `${total()} and ${left} of ${limit}`);
  } finally {
    for (const { child } of processes) child.kill("SIGKILL");
  }
});
