import type pg from "pg";
import { Batcher } from "../db/batcher.ts";
import { tooMany } from "../answers/errors.ts";

/** How one request counts against its key's allowance per minute. */
export type Verdict = { allowed: boolean; limit: number; remaining: number; retryAfter: number };

type Want = { key: string; limit: number };
type Taken = { key: string; granted: number; used: number; oldest: number };

/**
 * At most `limit` requests of a key within any 60 seconds, over all processes on the database: the last 61
 * seconds are counted one by one (service.md 8, reliability.md P15). Requests that come at once are counted by
 * one statement; a key known to be exhausted is refused without any.
 */
export class RateLimiter {
  readonly #pool: pg.Pool;
  readonly #batcher: Batcher<Want, Verdict>;
  #exhausted = new Map<string, number>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#batcher = new Batcher((wants) => this.#takeAll(wants), {
      atOnce: 1,
      maxItems: 10_000,
      maxWeight: Infinity,
      weigh: () => 0,
    });
  }

  /** Counts one request of the key; 429 when that is too many. */
  async require(key: string, limit: number): Promise<void> {
    const { allowed, retryAfter } = await this.take(key, limit);
    if (!allowed) throw tooMany(retryAfter);
  }

  /** Counts one request of the key, unless that is too many. */
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

  async #takeAll(wants: Want[]): Promise<Verdict[]> {
    const byKey = new Map<string, { want: number; limit: number; left: number }>();
    for (const { key, limit } of wants) {
      const entry = byKey.get(key);
      if (entry) entry.want++;
      else byKey.set(key, { want: 1, limit, left: 0 });
    }
    const entries = [...byKey.values()];
    const { rows } = await this.#pool.query<Taken>({
      name: "take-permits",
      text: TAKE,
      values: [[...byKey.keys()], entries.map((entry) => entry.want), entries.map((entry) => entry.limit)],
    });
    const taken = new Map(rows.map((row) => [row.key, row]));
    for (const [key, entry] of byKey) entry.left = taken.get(key)?.granted ?? 0;
    return wants.map(({ key, limit }) => this.#verdict(key, limit, byKey, taken));
  }

  #verdict(
    key: string,
    limit: number,
    byKey: Map<string, { left: number }>,
    taken: Map<string, Taken>,
  ): Verdict {
    const entry = byKey.get(key);
    const row = taken.get(key);
    if (!entry || !row) throw new Error("a key was not counted");
    if (entry.left > 0) {
      entry.left--;
      return { allowed: true, limit, remaining: Math.max(0, limit - row.used + entry.left), retryAfter: 0 };
    }
    // counts[i] is the second i-1 seconds ago; it leaves the window of 61 when it is 61 seconds old.
    const retryAfter = 62 - row.oldest;
    this.#exhausted.set(key, performance.now() + retryAfter * 1000);
    return { allowed: false, limit, remaining: 0, retryAfter };
  }

  /** Forgets keys unused for two minutes. Returns how many. */
  async sweep(): Promise<number> {
    const now = performance.now();
    for (const [key, until] of this.#exhausted) if (until <= now) this.#exhausted.delete(key);
    const result = await this.#pool.query(
      "delete from rate_limits where second < floor(extract(epoch from clock_timestamp())) - 120",
    );
    return result.rowCount ?? 0;
  }
}

/** The clock is read under the row's lock and never goes back, so counting is exact between processes, too. */
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
