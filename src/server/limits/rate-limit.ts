import type pg from "pg";
import { tooMany } from "../answers/errors.ts";
import { GATHER_MS } from "../db/batched-lookup.ts";
import { Batcher } from "../batching/batcher.ts";
import { KnownPermits, LEASE_MS, type Verdict } from "./known-permits.ts";
import { takePermits, type Ask } from "./take-permits.ts";

/** With `wanted` 0, only takes permits in advance; the verdict is then meaningless. */
type Request = { key: string; limit: number; wanted: 0 | 1 };

/**
 * Allows at most `limit` requests per key within any 60 seconds, across all processes that share the database. Permits of a
 * busy key are taken in advance for two seconds, and returned if they are not used. Concurrent requests are counted in one
 * SQL statement, and a key known to be exhausted is refused without one.
 */
export class RateLimiter {
  readonly #pool: pg.Pool;
  readonly #now: () => number;
  readonly #batcher: Batcher<Request, Verdict>;
  readonly #known = new Map<string, KnownPermits>();
  #timer: NodeJS.Timeout | undefined;

  /** `now` returns milliseconds and never goes back. */
  constructor(pool: pg.Pool, now = () => performance.now()) {
    this.#pool = pool;
    this.#now = now;
    this.#batcher = new Batcher((requests) => this.#decideAll(requests), {
      gatherMs: GATHER_MS,
      maxItems: 10_000,
    });
  }

  /** Counts a request; 429 if it exceeds the limit. */
  async require(key: string, limit: number): Promise<void> {
    const { allowed, retryAfter } = await this.take(key, limit);
    if (!allowed) throw tooMany(retryAfter);
  }

  /** Counts a request unless it exceeds the limit. */
  async take(key: string, limit: number): Promise<Verdict> {
    return this.#known.get(key)?.decide(limit, this.#now()) ?? this.#batcher.add({ key, limit, wanted: 1 });
  }

  /**
   * Counts a request if a permit was taken in advance; otherwise counts nothing and returns undefined. Renews permits before
   * they expire, so that a stream of events never waits for them.
   */
  takeKnown(key: string, limit: number): Verdict | undefined {
    const known = this.#known.get(key);
    const now = this.#now();
    const verdict = known?.useLeft(limit, now);
    if (verdict) known?.renewAhead(now, () => this.#batcher.add({ key, limit, wanted: 0 }));
    return verdict;
  }

  /** The number of keys that this process remembers. */
  get size(): number {
    return this.#known.size;
  }

  /** Returns all unused permits. Each pass returns those of one lease, and a key has up to two. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#giveBack([...this.#known]);
    await this.#giveBack([...this.#known]);
  }

  /** Returns expired permits and forgets idle keys. Runs every two seconds while any keys are remembered. */
  async tidy(): Promise<void> {
    const now = this.#now();
    const expired = [...this.#known].filter(([, known]) => known.isExpired(now));
    for (const [key, known] of expired) if (known.isIdle(now)) this.#known.delete(key);
    await this.#giveBack(expired);
  }

  /** Deletes keys that were not used for two minutes, and returns how many. */
  async sweep(): Promise<number> {
    await this.#pool.query(CATCH_UP);
    return (await this.#pool.query(DELETE_UNUSED)).rowCount ?? 0;
  }

  async #decideAll(requests: Request[]): Promise<Verdict[]> {
    const askedAt = this.#now();
    const asks = new Map<string, Ask>();
    const decided = requests.map(({ key, limit, wanted }) => {
      const ask = asks.get(key);
      if (ask) ask.wanted += wanted;
      // The previous batch may have taken enough permits in advance for this request.
      const verdict = ask || wanted === 0 ? undefined : this.#keep(key).decide(limit, askedAt);
      if (!ask && !verdict) asks.set(key, this.#keep(key).ask(limit, askedAt, wanted));
      return verdict;
    });
    if (asks.size > 0) await this.#ask(asks, askedAt);
    const now = this.#now();
    return requests.map(({ key, limit, wanted }, n) =>
      wanted === 0 ? NO_VERDICT : (decided[n] ?? this.#keep(key).decideGranted(limit, now)),
    );
  }

  async #ask(asks: Map<string, Ask>, askedAt: number): Promise<void> {
    for (const [key, grant] of await takePermits(this.#pool, asks)) this.#keep(key).receive(grant, askedAt);
  }

  #keep(key: string): KnownPermits {
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = new KnownPermits()));
    this.#tidyLater();
    return known;
  }

  #tidyLater() {
    this.#timer ??= setTimeout(() => void this.#tidyAgain(), LEASE_MS).unref();
  }

  async #tidyAgain() {
    await this.tidy();
    this.#timer = undefined;
    if (this.#known.size > 0) this.#tidyLater();
  }

  async #giveBack(known: [string, KnownPermits][]): Promise<void> {
    const asks = known.map(([key, permits]): [string, Ask] => [
      key,
      { limit: 0, wanted: 0, ahead: 0, ...permits.giveBack() },
    ]);
    const unused = new Map(asks.filter(([, ask]) => ask.unused > 0));
    // Permits that cannot be returned stay counted, which is safe.
    if (unused.size > 0) await takePermits(this.#pool, unused).catch(() => {});
  }
}

const NO_VERDICT: Verdict = { allowed: false, limit: 0, remaining: 0, retryAfter: 0 };

const NOW = "floor(extract(epoch from clock_timestamp()))";

/** Without this, keys that were last used before the clock was set back would be kept until it reaches that time again. */
const CATCH_UP = `update rate_limits set clock_offset = second - ${NOW} where second - clock_offset > ${NOW}`;

const DELETE_UNUSED = `delete from rate_limits where second - clock_offset < ${NOW} - 120`;
