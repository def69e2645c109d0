import type { SharedOptions } from "../core/options.ts";

/** What `init` and `createReporter` take in a browser. */
export interface BrowserOptions extends SharedOptions {
  /**
   * Where events go: a route of your own server that passes them on, such as `/errors`. A token in a page is read by
   * everybody who opens it, and the page's own address needs no cross-origin permission. The whole address of
   * Signalbox's error-events works too, with a `token`.
   */
  endpoint: string;
  /** A Read & write project token, where `endpoint` asks for one. */
  token?: string | undefined;
  /** What the page is built with. */
  framework?: { name: string; version?: string | undefined } | undefined;
  /** Report the page's uncaught errors and unhandled rejections. Default true. */
  capturePageErrors?: boolean | undefined;
}
