import { LEASE_SECONDS, type Ask, type Grant } from "./take-permits.ts";

/** Whether a request is within its key's limit. `retryAfter` is in seconds. */
export type Verdict = { allowed: boolean; limit: number; remaining: number; retryAfter: number };

export const LEASE_MS = LEASE_SECONDS * 1_000;

/** Leases with fewer permits are not renewed early. */
const MANY = 8;

type Lease = { left: number; grant: Grant; since: number };

const NONE: Lease = {
  left: 0,
  grant: { granted: 0, remaining: 0, second: 0, retryAfter: 0, isLeased: false },
  since: -Infinity,
};

/** What this process knows about a key: the permits that it took in advance, or that none are left. Times are in milliseconds. */
export class KnownPermits {
  /** Two leases, because permits are returned per grant. The permits of the older lease are used first. */
  #older: Lease = { ...NONE };
  #newest: Lease = { ...NONE };
  #isRenewing = false;
  #retryAt = -Infinity;
  #refusedUntil = -Infinity;
  #usage = { since: -Infinity, now: 0, before: 0 };

  /** Uses a permit that was taken in advance; undefined without one. */
  useLeft(limit: number, now: number): Verdict | undefined {
    if (isUsable(this.#older, now)) return this.#use(this.#older, limit);
    return isUsable(this.#newest, now) ? this.#use(this.#newest, limit) : undefined;
  }

  /**
   * Calls `renew` before the permits of a busy key expire or are used up, so that no request has to wait for new ones. Does
   * nothing while a previous call is in progress.
   */
  renewAhead(now: number, renew: () => Promise<unknown>): void {
    const { left, grant, since } = this.#newest;
    const isDue = now >= since + LEASE_MS / 2 || left < grant.granted / 4;
    if (this.#isRenewing || grant.granted < MANY || !isDue) return;
    this.#isRenewing = true;
    // Ignore the error: the next request asks for permits itself, and fails if that fails, too.
    renew()
      .catch(() => {})
      .finally(() => (this.#isRenewing = false));
  }

  /** Decides without the database, if possible; otherwise undefined. */
  decide(limit: number, now: number): Verdict | undefined {
    const verdict = this.useLeft(limit, now);
    if (verdict) return verdict;
    return now < this.#refusedUntil ? refuse(limit, Math.ceil((this.#retryAt - now) / 1_000)) : undefined;
  }

  /** Asks for `wanted` permits and, if the key is busy, for as many in advance as it used during a lease. */
  ask(limit: number, now: number, wanted = 1): Ask {
    const { since, now: used } = this.#usage;
    if (now >= since + LEASE_MS)
      this.#usage = { since: now, now: 0, before: now < since + 2 * LEASE_MS ? used : 0 };
    const ahead = Math.max(0, this.#usage.now - 1, this.#usage.before - 1);
    const isReturned = this.#older.left > 0 || this.isExpired(now);
    return { limit, wanted, ahead, ...(isReturned ? this.giveBack() : { unused: 0, grantedIn: 0 }) };
  }

  /** Takes the unused permits of the older lease, to return them. */
  giveBack(): Pick<Ask, "unused" | "grantedIn"> {
    const lease = this.#oldest;
    const unused = lease.left;
    lease.left = 0;
    return { unused, grantedIn: lease.grant.second };
  }

  /** `askedAt`, when the database was asked, is the start of the lease: the database read its clock later. */
  receive(grant: Grant, askedAt: number) {
    this.#older = this.#oldest;
    this.#newest = { left: grant.granted, grant, since: askedAt };
  }

  /** Decides for a request that waited for the grant, even if the lease has expired since. */
  decideGranted(limit: number, now: number): Verdict {
    if (this.#newest.left > 0) return this.#use(this.#newest, limit);
    const { retryAfter, isLeased } = this.#newest.grant;
    this.#retryAt = now + retryAfter * 1_000;
    this.#refusedUntil = isLeased ? Math.min(now + 2 * LEASE_MS, this.#retryAt) : this.#retryAt;
    return refuse(limit, retryAfter);
  }

  isExpired(now: number): boolean {
    return now >= this.#oldest.since + LEASE_MS;
  }

  /** Whether the key has not been used recently. */
  isIdle(now: number): boolean {
    return now >= this.#newest.since + 2 * LEASE_MS && now >= this.#refusedUntil;
  }

  get #oldest(): Lease {
    return this.#older.left > 0 ? this.#older : this.#newest;
  }

  #use(lease: Lease, limit: number): Verdict {
    lease.left--;
    this.#usage.now++;
    const left = this.#newest.grant.remaining + this.#newest.left + this.#older.left;
    return { allowed: true, limit, remaining: Math.max(0, left), retryAfter: 0 };
  }
}

const isUsable = ({ left, since }: Lease, now: number): boolean => left > 0 && now < since + LEASE_MS;

const refuse = (limit: number, retryAfter: number): Verdict => ({
  allowed: false,
  limit,
  remaining: 0,
  retryAfter,
});
