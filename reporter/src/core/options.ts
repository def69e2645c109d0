import type { Breadcrumb, Context, ErrorEventBody, Level } from "./event.ts";
import type { Transport } from "./transport.ts";

/** A string matches an entire class name or part of a message; a pattern is tested against `Class: message`. */
export type IgnoreRule = string | RegExp | ((error: unknown) => boolean);

/** What `beforeSend` returns: the event, null to drop it, or nothing to keep it with its changes. */
export type Reviewed = ErrorEventBody | null | undefined | void;

/** Where events are sent: either `dsn`, or `url`, `project` and `key`. */
export interface Destination {
  /** Signalbox's URL with port and path: `https://signalbox.example.com:8443/base`. */
  url?: string | undefined;
  /** The project's id or key. */
  project?: number | string | undefined;
  /** An ingest key, which can only send. */
  key?: string | undefined;
  /** A project token with Read & write access, instead of `key`. Not for web pages: every visitor could use it. */
  token?: string | undefined;
  /** URL, key and project in one string, as Settings → Ingestion shows it: `https://<key>@<host>/<project>`. */
  dsn?: string | undefined;
}

/** Options of every reporter, in Node and in browsers. */
export interface SharedOptions extends Destination {
  /** Default "production". The same error in another environment is a separate group. At most 255 characters. */
  environment?: string | undefined;
  /** The deployed version or commit. An error that recurs in another release after it was resolved is a regression. */
  release?: string | undefined;
  /** If false, sends nothing and installs no handlers. Default true. */
  enabled?: boolean | undefined;
  /**
   * Called with each event before it is queued. It may change the event, or return null to drop it; returning nothing
   * keeps the event with its changes. May return a promise; an event that is still waiting for it when the process ends
   * is lost. If it throws, the event is dropped, because it may still contain what should have been removed.
   */
  beforeSend?: ((event: ErrorEventBody, error: unknown) => Reviewed | PromiseLike<Reviewed>) | undefined;
  /**
   * What is recorded before an error: lines of the console, requests of fetch (in Node also of node:http), and in browsers
   * navigation. URLs have no query. False records nothing. Default all.
   */
  breadcrumbs?: boolean | { console?: boolean; fetch?: boolean; navigation?: boolean } | undefined;
  /** Errors that are never sent. */
  ignore?: readonly IgnoreRule[] | undefined;
  /** The share of errors to send, 0 to 1. Default 1. With less, Signalbox counts only that share. */
  sampleRate?: number | undefined;
  /**
   * Maximum number of events per minute; further ones are dropped, counted and logged. Repetitions of one error may use
   * half of it. Default 300.
   */
  maxPerMinute?: number | undefined;
  /**
   * Maximum number of queued events. When the queue is full, the newest event of the most frequent error is dropped.
   * Default 100.
   */
  maxQueued?: number | undefined;
  /** Timeout of a request in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
  /** Log where events are sent, the response to each, and why an error is not sent. Default false. */
  debug?: boolean | undefined;
  /** Receives the reporter's log lines; false disables them. Default console.warn. */
  log?: ((line: string) => void) | false | undefined;
  /** Sends a request instead of the built-in transport. */
  transport?: Transport | undefined;
}

/** What the caller knows about an error. */
export interface CaptureDetails {
  /** Default "error". */
  level?: Level | undefined;
  /** Added to those of `setTag`. */
  tags?: Record<string, string | number | boolean> | undefined;
  /** Added to those of `addBreadcrumb`. */
  breadcrumbs?: readonly Breadcrumb[] | undefined;
  /** Groups this error with others that have the same parts, instead of by class and trace; `{{ default }}` stands for these. */
  fingerprint?: readonly string[] | undefined;
  context?: Context | undefined;
  /** HMAC-SHA256 of the user's id, computed elsewhere: 64 lowercase hex characters. */
  userHash?: string | undefined;
  environment?: string | undefined;
  release?: string | undefined;
  framework?: { name: string; version?: string | undefined } | undefined;
}

/** Number of events by outcome, since the reporter started. */
export interface Counts {
  /** Accepted by the server. */
  sent: number;
  /** In the queue, including those being sent. */
  queued: number;
  /** Dropped because of `maxPerMinute`. */
  overBudget: number;
  /** Dropped because the queue was full. */
  overflowed: number;
  /** Refused by the server, and not retried. */
  refused: number;
}
