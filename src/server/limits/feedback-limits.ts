import type { Verdict } from "./known-permits.ts";
import type { RateLimiter } from "./rate-limit.ts";

/**
 * The rate limits of reports from outside, however they arrive: per IP address over all projects, and per ingest key or public
 * form.
 */
export class FeedbackLimits {
  readonly #limiter: RateLimiter;
  readonly #limits: { address: number; key: number };

  /** `limits` are per minute. */
  constructor(limiter: RateLimiter, limits: { address: number; key: number }) {
    this.#limiter = limiter;
    this.#limits = limits;
  }

  /** Counts a report against both limits. `sender` is `ing:` and the id of the ingest key. */
  async take(address: string, sender: string): Promise<Verdict> {
    const byAddress = await this.takeForAddress(address);
    if (!byAddress.allowed) return byAddress;
    const bySender = await this.takeForSender(sender);
    return !bySender.allowed || bySender.remaining < byAddress.remaining ? bySender : byAddress;
  }

  takeForAddress(address: string): Promise<Verdict> {
    return this.#limiter.take(`feedback:ip:${address}`, this.#limits.address);
  }

  /** `sender` is `ing:` and the id of the ingest key, or `form:` and the id of the public form's project. */
  takeForSender(sender: string): Promise<Verdict> {
    return this.#limiter.take(`feedback:${sender}`, this.#limits.key);
  }
}
