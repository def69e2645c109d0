/** One request to the server. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds after which the transport must have given up. */
  timeoutMs: number;
}

/** What came back. */
export interface Answer {
  /** The HTTP status; 0 when there was no answer. */
  status: number;
  /** The `Retry-After` header, as sent. */
  retryAfter?: string | null | undefined;
  /** The start of the body, for the log. */
  detail?: string | undefined;
}

/** Sends one request. It may reject: that counts as no answer. */
export type Transport = (request: Outgoing) => Promise<Answer>;

/** Milliseconds a `Retry-After` header asks for: seconds or a date, at most an hour. */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), 3_600_000) : undefined;
}
