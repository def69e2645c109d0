import type { RateLimiter } from "./rate-limit.ts";
import type { Verdict } from "./known-permits.ts";
import { BusyAddresses } from "./busy-addresses.ts";

/** The parts of a key's limit that its reserve has, and that an address may have sent to use the reserve. */
const RESERVE = 1 / 10;

/**
 * The rate limit of ingest keys. Keys are public, so anyone can exhaust a key's limit: beyond it, a reserve of a tenth of the
 * limit is left for addresses that have sent less than a tenth of the limit within the last minute. Both are counted across all
 * processes, but what each address has sent is counted by each process for itself, which costs no query.
 */
export class KeyLimits {
  readonly #limiter: RateLimiter;
  readonly #limit: number;
  readonly #addresses = new BusyAddresses();

  /** `limit` is per minute and key. */
  constructor(limiter: RateLimiter, limit: number) {
    this.#limiter = limiter;
    this.#limit = limit;
  }

  /** Counts an event of the address unless it exceeds the key's limit and may not use the reserve. */
  async take(keyId: number, address: string): Promise<Verdict> {
    const sent = this.#addresses.add(keyId, address);
    const verdict = await this.#limiter.take(nameOf(keyId), this.#limit);
    if (verdict.allowed || sent >= this.#limit * RESERVE) return verdict;
    const reserved = await this.#limiter.take(`${nameOf(keyId)}:reserve`, Math.ceil(this.#limit * RESERVE));
    return reserved.allowed ? { ...verdict, allowed: true, retryAfter: 0 } : verdict;
  }

  /** Like `RateLimiter.takeKnown`: undefined if only `take` can decide. */
  takeKnown(keyId: number, address: string): Verdict | undefined {
    const verdict = this.#limiter.takeKnown(nameOf(keyId), this.#limit);
    if (verdict) this.#addresses.add(keyId, address);
    return verdict;
  }
}

/** The same for both routes, so that a key has one limit. */
const nameOf = (keyId: number) => `ingest:ing:${keyId}`;
