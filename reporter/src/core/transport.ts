/** A request to the server. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The transport must settle within this time, in milliseconds. */
  timeoutMs: number;
}

/** The response to a request. */
export interface Answer {
  /** The HTTP status; 0 if there was no response. */
  status: number;
  /** The `Retry-After` header. */
  retryAfter?: string | null | undefined;
  /** The `Content-Type` header. A web page as a response means that the address is wrong. */
  contentType?: string | null | undefined;
  /** The `Location` header of a redirect, which is not followed. */
  location?: string | null | undefined;
  /** The start of the body, for the log. */
  detail?: string | undefined;
}

/** Sends a request. A rejection counts as no response. */
export type Transport = (request: Outgoing) => Promise<Answer>;

/** Converts a `Retry-After` header (seconds or a date) to milliseconds, at most one hour. */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), 3_600_000) : undefined;
}
