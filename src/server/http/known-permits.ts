import { LEASE_SECONDS, type Ask, type Grant } from "./take-permits.ts";

/** Whether a request is within its key's limit. `retryAfter` is in seconds. */
export type Verdict = { allowed: boolean; limit: number; remaining: number; retryAfter: number };

export const LEASE_MS = LEASE_SECONDS * 1_000;

/** What this process knows about a key: permits that it took ahead, or that none are left. Times are in milliseconds. */
export class KnownPermits {
  #left = 0;
  #grant: Grant | undefined;
  #grantedAt = -Infinity;
  #retryAt = -Infinity;
  #refusedUntil = -Infinity;
  #usage = { since: -Infinity, now: 0, before: 0 };

  /** Uses a permit that was taken ahead; undefined without one. */
  useLeft(limit: number, now: number): Verdict | undefined {
    return this.#left > 0 && !this.isExpired(now) ? this.#use(limit) : undefined;
  }

  /** Decides without the database; undefined if that is not possible. */
  decide(limit: number, now: number): Verdict | undefined {
    const verdict = this.useLeft(limit, now);
    if (verdict) return verdict;
    return now < this.#refusedUntil ? refuse(limit, Math.ceil((this.#retryAt - now) / 1_000)) : undefined;
  }

  /** Asks for one permit and, if the key is busy, for as many ahead as it used in the time of a lease. */
  ask(limit: number, now: number): Ask {
    const { since, now: used } = this.#usage;
    if (now >= since + LEASE_MS)
      this.#usage = { since: now, now: 0, before: now < since + 2 * LEASE_MS ? used : 0 };
    const ahead = Math.max(0, this.#usage.now - 1, this.#usage.before - 1);
    return { limit, wanted: 1, ahead, ...this.giveBack() };
  }

  giveBack(): Pick<Ask, "unused" | "grantedIn"> {
    const unused = this.#left;
    this.#left = 0;
    return { unused, grantedIn: this.#grant?.second ?? 0 };
  }

  /** `askedAt` is when the database was asked. The lease starts then, because the database's clock was read later. */
  receive(grant: Grant, askedAt: number) {
    this.#grant = grant;
    this.#grantedAt = askedAt;
    this.#left = grant.granted;
  }

  /** Decides for a request that waited for the grant, however long that took. */
  decideGranted(limit: number, now: number): Verdict {
    if (this.#left > 0) return this.#use(limit);
    const { retryAfter, isLeased } = this.#grant as Grant;
    this.#retryAt = now + retryAfter * 1_000;
    this.#refusedUntil = isLeased ? Math.min(now + 2 * LEASE_MS, this.#retryAt) : this.#retryAt;
    return refuse(limit, retryAfter);
  }

  isExpired(now: number): boolean {
    return now >= this.#grantedAt + LEASE_MS;
  }

  /** The key was not used lately. */
  isIdle(now: number): boolean {
    return now >= this.#grantedAt + 2 * LEASE_MS && now >= this.#refusedUntil;
  }

  #use(limit: number): Verdict {
    this.#left--;
    this.#usage.now++;
    const remaining = Math.max(0, (this.#grant?.remaining ?? 0) + this.#left);
    return { allowed: true, limit, remaining, retryAfter: 0 };
  }
}

const refuse = (limit: number, retryAfter: number): Verdict => ({
  allowed: false,
  limit,
  remaining: 0,
  retryAfter,
});
