import type { CaptureDetails, SharedOptions } from "../core/options.ts";

/** What `init` and `createReporter` take in Node. Each of the first five is read from the environment when left out. */
export interface ReporterOptions extends SharedOptions {
  /** Signalbox's address, with its port and path: `https://signalbox.example.com:8443/base`. SIGNALBOX_URL. */
  url?: string | undefined;
  /** The project's id or key. SIGNALBOX_PROJECT. */
  project?: number | string | undefined;
  /** A Read & write project token. SIGNALBOX_TOKEN. */
  token?: string | undefined;
  /** SIGNALBOX_ENVIRONMENT, then NODE_ENV, then "production". */
  environment?: string | undefined;
  /** SIGNALBOX_RELEASE, then the version in the program's package.json, then the commit its build service names. */
  release?: string | undefined;
  /** Key of the HMAC that stands for a user's id. It is never sent; without it `userId` is not used. */
  userHashSecret?: string | undefined;
  /** Name of the machine; false sends none. Default the host name. */
  host?: string | false | undefined;
  /** The framework, where the one that the program's package.json names is not it; false sends none. */
  framework?: { name: string; version?: string | undefined } | false | undefined;
  /** Report uncaught exceptions and unhandled rejections of the process. Default true. */
  captureProcessErrors?: boolean | undefined;
  /** Milliseconds the end of the process may wait for what is not sent yet. Default 2,000; 0 sends nothing then. */
  exitDeadlineMs?: number | undefined;
  /**
   * A folder for events that could not be sent, which the next start sends. Default none: a crash while the server is
   * out of reach is lost. Processes may share it. It holds messages and traces, readable by this user only.
   */
  offlineDir?: string | undefined;
}

/** What a caller in Node knows about one error. */
export interface NodeCaptureDetails extends CaptureDetails {
  /** The signed-in user; only the HMAC of it leaves the process. */
  userId?: string | number | undefined;
}
