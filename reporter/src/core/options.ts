import type { Context, ErrorEventBody } from "./event.ts";
import type { Transport } from "./transport.ts";

/** A text matches a whole class name or a part of the message; a pattern is tried on `Class: message`. */
export type IgnoreRule = string | RegExp | ((error: unknown) => boolean);

/** What every reporter understands, in Node and in the browser. */
export interface SharedOptions {
  /** Default "production". Part of the grouping key: the same error elsewhere is another group. At most 255 characters. */
  environment?: string | undefined;
  /** What is deployed: a version or a commit. A resolved group that fails in another release is a regression. */
  release?: string | undefined;
  /** False sends nothing, and takes no handler. Default true. */
  enabled?: boolean | undefined;
  /**
   * Called with each event before it is queued, to change it or, by returning null, to drop it. Returning nothing
   * keeps the event, as it was changed. It must be synchronous; when it throws, the event is dropped, since what it
   * was to remove may still be in it.
   */
  beforeSend?:
    | ((event: ErrorEventBody, error: unknown) => ErrorEventBody | null | undefined | void)
    | undefined;
  /** Errors never sent. */
  ignore?: readonly IgnoreRule[] | undefined;
  /** The share of errors that is sent, 0 to 1. Default 1; below it, the counts in Signalbox are that share. */
  sampleRate?: number | undefined;
  /** Events a minute, at most; the rest of a storm is counted and said once in the log. Default 300. */
  maxPerMinute?: number | undefined;
  /** Events that wait while the server cannot be reached, at most; beyond it the oldest goes. Default 100. */
  maxQueued?: number | undefined;
  /** Milliseconds one request may take. Default 10,000. */
  timeoutMs?: number | undefined;
  /** Where the reporter says what it could not do; false for nowhere. Default the console. */
  log?: ((line: string) => void) | false | undefined;
  /** Carries one request in place of the built-in transport. */
  transport?: Transport | undefined;
}

/** What a caller knows about one error. */
export interface CaptureDetails {
  context?: Context | undefined;
  /** HMAC-SHA256 of the user's id, made elsewhere: 64 lowercase hex characters. */
  userHash?: string | undefined;
  environment?: string | undefined;
  release?: string | undefined;
  framework?: { name: string; version?: string | undefined } | undefined;
}

/** Events by what became of them since the reporter started. */
export interface Counts {
  /** Accepted by the server. */
  sent: number;
  /** Waiting. */
  queued: number;
  /** Over `maxPerMinute`. */
  overBudget: number;
  /** Pushed out of a full queue. */
  overflowed: number;
  /** Refused by the server for good. */
  refused: number;
}
