import type pg from "pg";
import { Batcher } from "../db/batcher.ts";
import { tooMany } from "../answers/errors.ts";

/** Whether a request is within its key's limit. `retryAfter` is in seconds. */
export type Verdict = { allowed: boolean; limit: number; remaining: number; retryAfter: number };

type Request = { key: string; limit: number };
/** `oldest` is the age in seconds plus one of the oldest counted request. */
type Usage = { key: string; granted: number; used: number; oldest: number };

/**
 * Allows at most `limit` requests per key within any 60 seconds, across all processes that share the database. Requests
 * are counted per second for the last 61 seconds. Concurrent requests are counted in one SQL statement, and a key known to
 * be exhausted is refused without one.
 */
export class RateLimiter {
  readonly #pool: pg.Pool;
  readonly #batcher: Batcher<Request, Verdict>;
  #exhausted = new Map<string, number>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#batcher = new Batcher((requests) => this.#takeAll(requests), {
      atOnce: 1,
      maxItems: 10_000,
      maxWeight: Infinity,
      weigh: () => 0,
    });
  }

  /** Counts a request; 429 if it exceeds the limit. */
  async require(key: string, limit: number): Promise<void> {
    const { allowed, retryAfter } = await this.take(key, limit);
    if (!allowed) throw tooMany(retryAfter);
  }

  /** Counts a request unless it exceeds the limit. */
  take(key: string, limit: number): Promise<Verdict> {
    const until = this.#exhausted.get(key);
    if (until !== undefined) {
      const wait = until - performance.now();
      if (wait > 0)
        return Promise.resolve({ allowed: false, limit, remaining: 0, retryAfter: Math.ceil(wait / 1000) });
      this.#exhausted.delete(key);
    }
    return this.#batcher.add({ key, limit });
  }

  async #takeAll(requests: Request[]): Promise<Verdict[]> {
    const byKey = new Map<string, { wanted: number; limit: number; left: number }>();
    for (const { key, limit } of requests) {
      const entry = byKey.get(key);
      if (entry) entry.wanted++;
      else byKey.set(key, { wanted: 1, limit, left: 0 });
    }
    const entries = [...byKey.values()];
    const { rows } = await this.#pool.query<Usage>({
      name: "take-permits",
      text: TAKE,
      values: [[...byKey.keys()], entries.map((entry) => entry.wanted), entries.map((entry) => entry.limit)],
    });
    const usage = new Map(rows.map((row) => [row.key, row]));
    for (const [key, entry] of byKey) entry.left = usage.get(key)?.granted ?? 0;
    return requests.map(({ key, limit }) => this.#verdict(key, limit, byKey, usage));
  }

  #verdict(
    key: string,
    limit: number,
    byKey: Map<string, { left: number }>,
    usage: Map<string, Usage>,
  ): Verdict {
    const entry = byKey.get(key);
    const row = usage.get(key);
    if (!entry || !row) throw new Error("the statement did not return the key");
    if (entry.left > 0) {
      entry.left--;
      return { allowed: true, limit, remaining: Math.max(0, limit - row.used + entry.left), retryAfter: 0 };
    }
    // counts[i] is for the second i-1 seconds ago. It leaves the window of 61 seconds when it is 61 seconds old.
    const retryAfter = 62 - row.oldest;
    this.#exhausted.set(key, performance.now() + retryAfter * 1000);
    return { allowed: false, limit, remaining: 0, retryAfter };
  }

  /** Deletes keys that were not used for two minutes, and returns how many. */
  async sweep(): Promise<number> {
    const now = performance.now();
    for (const [key, until] of this.#exhausted) if (until <= now) this.#exhausted.delete(key);
    const result = await this.#pool.query(
      "delete from rate_limits where second < floor(extract(epoch from clock_timestamp())) - 120",
    );
    return result.rowCount ?? 0;
  }
}

/** Reads the clock while holding the row's lock and never lets it go back, so counts are exact across processes. */
const TAKE = `
with wanted as (
  select * from unnest($1::text[], $2::int[], $3::int[]) as w (key, want, max)
)
insert into rate_limits as r (key, second, counts, granted)
select key, floor(extract(epoch from clock_timestamp())), array[least(want, max)] || array_fill(0, array[60]), least(want, max)
from wanted order by key
on conflict (key) do update set (second, counts, granted) = (
  select t.second, array[aged.counts[1] + g.granted] || aged.counts[2:], g.granted
  from wanted w
  cross join lateral (select greatest(r.second, floor(extract(epoch from clock_timestamp()))::bigint) as second) t
  cross join lateral (select least(61, t.second - r.second)::int as age) a
  cross join lateral (select array_fill(0, array[a.age]) || r.counts[1:61 - a.age] as counts) aged
  cross join lateral (select least(w.want, greatest(0, w.max - (select sum(c) from unnest(aged.counts) c)))::int as granted) g
  where w.key = r.key
)
returning key, granted,
  (select sum(c)::int from unnest(counts) c) as used,
  (select coalesce(max(i), 1) from generate_subscripts(counts, 1) i where counts[i] > 0) as oldest`;
