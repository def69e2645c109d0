import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { Pool } from "pg";
import { eventually, waitUntil } from "../../../test/support/eventually.ts";
import { cloneDatabase } from "../../../test/support/postgres.ts";
import { RateLimiter } from "./rate-limit.ts";

let url: string;
let pool: Pool;
let second: Pool;
let drop: () => Promise<void>;
before(async () => {
  const clone = await cloneDatabase();
  drop = () => clone.drop();
  url = clone.url;
  pool = new Pool({ connectionString: clone.url, max: 4 });
  second = new Pool({ connectionString: clone.url, max: 4 });
  // A limiter may be returning permits when the database is dropped.
  for (const one of [pool, second]) one.on("error", () => {});
});
after(async () => {
  await Promise.all([pool.end(), second.end()]);
  await drop();
});

let count = 0;
const newKey = () => `key ${++count}`;
const allowedOf = (verdicts: { allowed: boolean }[]) => verdicts.filter((verdict) => verdict.allowed).length;
const takeMany = (limiter: RateLimiter, key: string, limit: number, times: number) =>
  Promise.all(Array.from({ length: times }, () => limiter.take(key, limit)));

/** Simulates that time has passed on the database's clock, or that it was set back if `seconds` is negative. */
const letPass = (key: string, seconds: number) =>
  pool.query("update rate_limits set clock_offset = clock_offset + $2 where key = $1", [key, seconds]);

/** The permits that are counted now. */
async function countedOf(key: string): Promise<number> {
  const { rows } = await pool.query(
    "select (select sum(c)::int from unnest(counts) c) as sum from rate_limits where key = $1",
    [key],
  );
  return rows[0].sum;
}

async function secondOf(key: string): Promise<number> {
  const { rows } = await pool.query("select second::int from rate_limits where key = $1", [key]);
  return rows[0].second;
}

test("of many concurrent requests exactly the limit is allowed, and `remaining` counts down to zero", async () => {
  const verdicts = await takeMany(new RateLimiter(pool), newKey(), 37, 500);
  assert.equal(allowedOf(verdicts), 37);
  assert.deepEqual(
    verdicts.filter((verdict) => verdict.allowed).map((verdict) => verdict.remaining),
    Array.from({ length: 37 }, (_, n) => 36 - n),
  );
  for (const verdict of verdicts.filter((one) => !one.allowed))
    assert.ok(verdict.remaining === 0 && verdict.retryAfter >= 1 && verdict.retryAfter <= 61);
});

test("two limiters on one database together allow exactly the limit", async () => {
  for (let round = 0; round < 10; round++) {
    const limiters = [new RateLimiter(pool), new RateLimiter(second)];
    const key = newKey();
    // In waves, so that both limiters are often busy at the same time.
    const takes: Promise<{ allowed: boolean }>[] = [];
    for (let wave = 0; wave < 10; wave++) {
      for (const limiter of limiters) takes.push(limiter.take(key, 25), limiter.take(key, 25));
      await new Promise(setImmediate);
    }
    const allowed = allowedOf(await Promise.all(takes));
    for (const limiter of limiters) await limiter.close();
    assert.equal(allowed + allowedOf(await takeMany(new RateLimiter(pool), key, 25, 25)), 25);
  }
});

test("keys are counted separately, even within one statement", async () => {
  const limiter = new RateLimiter(pool);
  const [one, two, three] = [newKey(), newKey(), newKey()];
  const verdicts = await Promise.all([
    takeMany(limiter, one, 3, 10),
    takeMany(limiter, two, 100, 10),
    takeMany(limiter, three, 1, 2),
  ]);
  assert.deepEqual(verdicts.map(allowedOf), [3, 10, 1]);
});

test("an exhausted key is refused without a statement until requests are allowed again", async () => {
  const limiter = new RateLimiter(pool);
  const key = newKey();
  await takeMany(limiter, key, 2, 3);
  await pool.query("delete from rate_limits where key = $1", [key]);
  const verdict = await limiter.take(key, 2);
  assert.equal(verdict.allowed, false);
  assert.ok(verdict.retryAfter >= 1);
  assert.equal((await new RateLimiter(pool).take(key, 2)).allowed, true);
});

test("within any 60 seconds a key gets exactly its limit", async () => {
  const step = fc.record({ pass: fc.integer({ min: 0, max: 75 }), want: fc.integer({ min: 1, max: 6 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(step, { maxLength: 12 }),
      async (limit, steps) => {
        const key = newKey();
        /** The time of each allowed request in seconds, by the key's clock. */
        const allowed: number[] = [];
        const usedAt = (now: number) => allowed.filter((then) => then > now - 61).length;
        for (const { pass, want } of steps) {
          await letPass(key, pass);
          // A new limiter each time, because exhausted keys are remembered by the real clock.
          const verdicts = await takeMany(new RateLimiter(pool), key, limit, want);
          const now = await secondOf(key);
          const expected = Math.min(want, limit - usedAt(now));
          assert.equal(allowedOf(verdicts), expected);
          for (let n = 0; n < expected; n++) allowed.push(now);
          const left = verdicts.filter((verdict) => verdict.allowed).map((verdict) => verdict.remaining);
          if (expected > 0) assert.equal(left.at(-1), limit - usedAt(now));
          const refused = verdicts.find((verdict) => !verdict.allowed);
          if (refused) {
            assert.ok(usedAt(now + refused.retryAfter) < limit, "allowed again after retryAfter");
            assert.equal(usedAt(now + refused.retryAfter - 1), limit, "not allowed any earlier");
          }
        }
        for (const start of allowed)
          assert.ok(allowed.filter((then) => then >= start && then - start <= 60).length <= limit);
      },
    ),
    { numRuns: 60 },
  );
});

test("permits of a busy key are taken ahead, so that most requests need no statement", async () => {
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

test("requests that are seconds apart take nothing ahead", async () => {
  const clock = { ms: 0 };
  const limiter = new RateLimiter(pool, () => clock.ms);
  const key = newKey();
  for (let n = 1; n <= 5; n++, clock.ms += 2_500) {
    await limiter.take(key, 1_000);
    assert.equal(await countedOf(key), n);
  }
});

test("what a limiter knows about keys is forgotten, and expired permits are returned", async () => {
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

test("with permits taken ahead, lost processes and a clock set back, no 60 seconds exceed the limit", async () => {
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
  /** Permits taken ahead are used a second later, and others once the second in which they were taken is forgotten. */
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

test("setting the database's clock back does not allow more requests", async () => {
  const key = newKey();
  assert.equal(allowedOf(await takeMany(new RateLimiter(pool), key, 4, 3)), 3);
  await letPass(key, -30);
  assert.equal(allowedOf(await takeMany(new RateLimiter(pool), key, 4, 3)), 1);
});

test("after the database's clock is set back by two days, permits become free after a minute", async () => {
  const key = newKey();
  await takeMany(new RateLimiter(pool), key, 4, 4);
  await letPass(key, -172_800);
  const refused = await new RateLimiter(pool).take(key, 4);
  assert.equal(refused.allowed, false);
  await letPass(key, refused.retryAfter);
  assert.equal(allowedOf(await takeMany(new RateLimiter(pool), key, 4, 4)), 4);
});

test("requests allowed under a higher limit count against a lower one", async () => {
  const key = newKey();
  await takeMany(new RateLimiter(pool), key, 10, 8);
  const verdict = await new RateLimiter(pool).take(key, 5);
  assert.equal(verdict.allowed, false);
  assert.equal(verdict.remaining, 0);
});

test("sweeping deletes only keys that were not used for two minutes", async () => {
  const [old, recent] = [newKey(), newKey()];
  const limiter = new RateLimiter(pool);
  await limiter.take(old, 5);
  await limiter.take(recent, 5);
  await letPass(old, 125);
  await letPass(recent, 100);
  assert.ok((await limiter.sweep()) >= 1);
  const { rows } = await pool.query("select key from rate_limits where key = any($1)", [[old, recent]]);
  assert.deepEqual(rows, [{ key: recent }]);
});

test("a key that was used before the clock was set back is deleted two minutes after the next sweep", async () => {
  const key = newKey();
  const limiter = new RateLimiter(pool);
  await limiter.take(key, 5);
  await letPass(key, -172_800);
  await limiter.sweep();
  assert.equal(await countedOf(key), 1);
  await letPass(key, 125);
  await limiter.sweep();
  assert.deepEqual((await pool.query("select from rate_limits where key = $1", [key])).rows, []);
});
