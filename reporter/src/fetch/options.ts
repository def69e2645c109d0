import type { SharedOptions } from "../core/options.ts";

/**
 * Options of `init` and `createReporter` in runtimes without Node's modules. Where the runtime has `process.env`, missing
 * ones are read from SIGNALBOX_URL, SIGNALBOX_PROJECT, SIGNALBOX_KEY, SIGNALBOX_TOKEN, SIGNALBOX_DSN,
 * SIGNALBOX_ENVIRONMENT and SIGNALBOX_RELEASE.
 */
export interface FetchOptions extends SharedOptions {
  framework?: { name: string; version?: string | undefined } | undefined;
  /** Report uncaught errors and unhandled rejections, if the runtime has events for them. Default true. */
  captureGlobalErrors?: boolean | undefined;
}
