import type { RateLimiter } from "../limits/rate-limit.ts";

/** Reports from outside that are accepted per minute. */
const MAX_PER_ADDRESS = 10;
const MAX_PER_KEY = 120;

/** Counts feedback that came with an ingest key. Returns the seconds to wait, or undefined if it is within the limits. */
export async function takeFeedbackPermit(
  limiter: RateLimiter,
  address: string,
  keyId: number,
): Promise<number | undefined> {
  for (const [key, limit] of [
    [`feedback:ip:${address}`, MAX_PER_ADDRESS],
    [`feedback:ing:${keyId}`, MAX_PER_KEY],
  ] as const) {
    const { allowed, retryAfter } = await limiter.take(key, limit);
    if (!allowed) return retryAfter;
  }
  return undefined;
}
