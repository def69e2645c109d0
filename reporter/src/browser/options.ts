import type { SharedOptions } from "../core/options.ts";

/** Options of `init` and `createReporter` in a browser. */
export interface BrowserOptions extends SharedOptions {
  /**
   * URL that receives the events: a route of your own server that forwards them, such as `/errors`. This keeps the
   * token out of the page, where every visitor could read it, and needs no CORS. The full URL of Signalbox's
   * error-events also works, with a `token`.
   */
  endpoint: string;
  /** A project token with Read & write access, if `endpoint` requires one. */
  token?: string | undefined;
  /** The page's framework. */
  framework?: { name: string; version?: string | undefined } | undefined;
  /** Report the page's uncaught errors and unhandled rejections. Default true. */
  capturePageErrors?: boolean | undefined;
}
