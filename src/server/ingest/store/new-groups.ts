import { ExpiringSet } from "../../caches/expiring-set.ts";
import type { RateLimiter } from "../../limits/rate-limit.ts";

/** New groups per minute: at least so many, or this part of the rate limit of events. */
const MIN_GROUPS = 300;
const SHARE = 0.3;

/**
 * Limits how many groups a client creates with all their details: 300 a minute by default, across all processes. Groups are
 * counted after they are stored, so that events of known groups cost nothing.
 */
export class NewGroups {
  readonly #limiter: RateLimiter;
  readonly #limit: number;
  readonly #limited = new ExpiringSet<string>();

  /** `eventLimit` is the rate limit of events per minute and credential. */
  constructor(limiter: RateLimiter, eventLimit: number) {
    this.#limiter = limiter;
    this.#limit = Math.max(MIN_GROUPS, Math.ceil(eventLimit * SHARE));
  }

  /** Whether the client has created so many groups that further ones are stored without details for now. */
  isLimited(client: string): boolean {
    return this.#limited.has(client);
  }

  /** Counts groups that the client has created. Errors are ignored: the groups are stored already. */
  count(client: string): void {
    if (this.isLimited(client)) return;
    this.#limiter.take(`groups:${client}`, this.#limit).then(
      ({ allowed, retryAfter }) => {
        if (!allowed) this.#limited.add(client, retryAfter * 1_000);
      },
      () => {},
    );
  }
}
