import { MAX_RETRIES, pauseMs } from "./rate-limit.ts";

/**
 * Fetches. A read that is rate-limited is repeated when its Retry-After has passed; until then the page shows that it is
 * loading. A write is not repeated, because a later write to the same thing might overtake it.
 */
export async function fetchWithinLimits(path: string, init: RequestInit): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await fetch(path, init);
    const isRead = (init.method ?? "GET") === "GET";
    if (response.status !== 429 || !isRead || retries === MAX_RETRIES) return response;
    const retryAfter = Number(response.headers.get("retry-after")) || undefined;
    await pause(pauseMs(retryAfter, retries), init.signal);
  }
}

/** Rejects when the signal aborts, like `fetch`. */
function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
