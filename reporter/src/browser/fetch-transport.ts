import type { SendResult, Outgoing } from "../core/transport.ts";

/** Browsers limit the bodies of all `keepalive` requests together to 64 KiB; this leaves room for headers. */
const MAX_KEEPALIVE_BYTES = 60_000;
/** Read before other scripts wrap it: a wrapper that reports failed requests would report the reporter's own. */
const { fetch } = globalThis;
let inFlight = 0;

/** The transport of browsers. A small request completes even if the page goes away. */
export async function sendByFetch({ url, headers, body, timeoutMs }: Outgoing): Promise<SendResult> {
  const { size } = new Blob([body]);
  const keepalive = inFlight + size < MAX_KEEPALIVE_BYTES;
  if (keepalive) inFlight += size;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout?.(timeoutMs),
      keepalive,
      // A redirected POST becomes a GET, which another address may answer with success.
      redirect: "manual",
    });
    const header = (name: string) => response.headers.get(name);
    return {
      // Browsers hide the status of a redirect.
      status: response.type === "opaqueredirect" ? 301 : response.status,
      retryAfter: header("retry-after"),
      contentType: header("content-type"),
    };
  } finally {
    if (keepalive) inFlight -= size;
  }
}
