import type { Answer, Outgoing } from "../core/transport.ts";
import { page } from "./page.ts";

/** Browsers limit the bodies of all `keepalive` requests together to 64 KiB; this leaves room for headers. */
const keepaliveBytes = 60_000;
/** Read before other scripts wrap it: a wrapper that reports failed requests would report the reporter's own. */
const { fetch } = globalThis;

/** The transport of browsers. A small request that starts while the page is hidden completes after the page is gone. */
export async function sendByFetch({ url, headers, body, timeoutMs }: Outgoing): Promise<Answer> {
  const { status, headers: responseHeaders } = await fetch(url, {
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout?.(timeoutMs),
    // A UTF-16 unit takes up to three bytes in UTF-8.
    keepalive: page.document?.visibilityState === "hidden" && body.length * 3 < keepaliveBytes,
  });
  return { status, retryAfter: responseHeaders.get("retry-after") };
}
