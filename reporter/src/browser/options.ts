import type { SharedOptions } from "../core/options.ts";

/** Options of `init` and `createReporter` in a browser. */
export interface BrowserOptions extends SharedOptions {
  /**
   * A route of your own server that forwards events, such as `/errors`, instead of `url`, `project` and `key`. For pages
   * that may not send requests to other hosts.
   */
  endpoint?: string | undefined;
  /** The page's framework. */
  framework?: { name: string; version?: string | undefined } | undefined;
  /** Ignore uncaught errors of browser extensions and harmless ones such as "ResizeObserver loop". Default true. */
  filterNoise?: boolean | undefined;
  /** Report the page's uncaught errors and unhandled rejections. Default true. */
  capturePageErrors?: boolean | undefined;
}
