/** A request to the server. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The transport must settle within this time, in milliseconds. */
  timeoutMs: number;
}

/** The response to a request. */
export interface SendResult {
  /** The HTTP status; 0 if there was no response. */
  status: number;
  /** The `Retry-After` header, in seconds. */
  retryAfter?: string | null | undefined;
  /** The `Content-Type` header. A web page as a response means that the address is wrong. */
  contentType?: string | null | undefined;
  /** The `Location` header of a redirect, which is not followed. */
  location?: string | null | undefined;
  /** The start of the body, for the log. */
  detail?: string | undefined;
}

/** Sends a request. A rejection counts as no response. */
export type Transport = (request: Outgoing) => Promise<SendResult>;

/** Converts a `Retry-After` header in seconds to milliseconds, at most one hour. */
export function retryAfterMs(header: string | null | undefined): number | undefined {
  return header && Number(header) >= 0 ? Math.min(Number(header) * 1000, 3_600_000) : undefined;
}

/**
 * Whether this response shows that the reporter's options are wrong. Such a response says nothing about the event, which
 * can be sent once the options or the server are corrected.
 */
export function isMisconfigured({ status, contentType }: SendResult): boolean {
  return status < 300 ? contentType?.startsWith("text/html") === true : status < 406 && status !== 400;
}
