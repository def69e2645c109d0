import type { CaptureDetails, SharedOptions } from "../core/options.ts";

/**
 * Options of `init` and `createReporter` in Node. Missing ones are read from SIGNALBOX_URL, SIGNALBOX_PROJECT,
 * SIGNALBOX_KEY, SIGNALBOX_TOKEN and SIGNALBOX_DSN.
 */
export interface ReporterOptions extends SharedOptions {
  /** Default SIGNALBOX_ENVIRONMENT, then NODE_ENV, then "production". */
  environment?: string | undefined;
  /** Default SIGNALBOX_RELEASE, then the version in the program's package.json, then the build service's commit. */
  release?: string | undefined;
  /** Secret for the HMAC of user ids. It is never sent; without it `userId` is ignored. */
  userHashSecret?: string | undefined;
  /** The machine's name; false omits it. Default: the host name. */
  host?: string | false | undefined;
  /** The framework; false omits it. Default: detected from the program's package.json. */
  framework?: { name: string; version?: string | undefined } | false | undefined;
  /** Report the process's uncaught exceptions and unhandled rejections. Default true. */
  captureProcessErrors?: boolean | undefined;
  /**
   * Give errors that are captured during a request of node:http the request's context, user, tags and breadcrumbs. Default
   * true.
   */
  trackRequests?: boolean | undefined;
  /** How long exiting may wait for unsent events, in milliseconds. Default 2,000; 0 sends nothing at exit. */
  exitDeadlineMs?: number | undefined;
  /**
   * A folder that stores events that could not be sent; the next start sends them. Default none: a crash while the
   * server is unreachable is lost. Processes may share it. Its files contain messages and traces, and are readable only
   * by the current user.
   */
  offlineDir?: string | undefined;
}

/** What the caller knows about an error, in Node. */
export interface NodeCaptureDetails extends CaptureDetails {
  /** The signed-in user's id; only its HMAC leaves the process. */
  userId?: string | number | undefined;
}
