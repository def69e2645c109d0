/** After this many responses with status 429, the last one is returned. */
const MAX_RETRIES = 3;

/**
 * Fetches. A read that is rate-limited is repeated when its Retry-After has passed; until then the page shows that it is
 * loading. A write is not repeated, because a later write to the same thing might overtake it.
 */
export async function fetchWithinLimits(path: string, init: RequestInit): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await fetch(path, init);
    const isRead = (init.method ?? "GET") === "GET";
    if (response.status !== 429 || !isRead || retries === MAX_RETRIES) return response;
    await pause(Number(response.headers.get("retry-after")) || 2 ** retries, init.signal);
  }
}

/** Rejects when the signal aborts, like `fetch`. */
function pause(seconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
