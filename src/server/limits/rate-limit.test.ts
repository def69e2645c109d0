import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { allowedOf, newKey, takeMany, useRateLimits } from "../../../test/support/rate-limits.ts";
import { RateLimiter } from "./rate-limit.ts";

const { pool, second, letPass, countedOf, secondOf } = await useRateLimits();

test("if many requests race, exactly the limit is allowed, and `remaining` counts down to zero", async () => {
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

test("each key has its own count, even within one statement", async () => {
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
