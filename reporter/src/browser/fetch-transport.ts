import type { Answer, Outgoing } from "../core/transport.ts";

/** Bytes that all requests with `keepalive` may have together, with some room for headers. */
const keepaliveBytes = 60_000;
/** Taken before anybody wraps it: a wrapper that reports failed requests would report ours. */
const { fetch } = globalThis;

/** The transport of browsers. A request that starts while the page goes away outlives it, when it is small enough. */
export async function sendByFetch({ url, headers, body, timeoutMs }: Outgoing): Promise<Answer> {
  const { status, headers: answered } = await fetch(url, {
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout(timeoutMs),
    // A character takes up to three bytes.
    keepalive: document.visibilityState === "hidden" && body.length * 3 < keepaliveBytes,
  });
  return { status, retryAfter: answered.get("retry-after") };
}
