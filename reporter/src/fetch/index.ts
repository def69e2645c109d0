import { currentReporter, setCurrentReporter } from "../core/current.ts";
import type { CaptureDetails } from "../core/options.ts";
import type { Reporter } from "../core/reporter.ts";
import { createReporter } from "./create-reporter.ts";
import { fetchErrors, type FetchErrorsOptions } from "./fetch-errors.ts";
import type { FetchOptions } from "./options.ts";

export type {
  Breadcrumb,
  CommandContext,
  Context,
  ErrorEventBody,
  Frame,
  JobContext,
  Level,
  NamedVersion,
  PreviousException,
  RouteContext,
} from "../core/event.ts";
export type { CaptureDetails, Counts, IgnoreRule, SharedOptions } from "../core/options.ts";
export type { Reporter } from "../core/reporter.ts";
export { addBreadcrumb, flush, setTag } from "../core/functions.ts";
export type { NewBreadcrumb } from "../core/trail.ts";
export type { SendResult, Outgoing, Transport } from "../core/transport.ts";
export type { FetchErrorsOptions, FetchOptions };
export { createReporter, fetchErrors };

/** Starts the program's reporter, which `captureError`, `flush` and the integrations use. A second call replaces it. */
export function init(options: FetchOptions = {}): Reporter {
  const reporter = createReporter(options);
  setCurrentReporter(reporter);
  return reporter;
}

/**
 * Reports an error, or any other thrown value, and returns the event's id. Does nothing before `init`. Never throws and
 * never waits.
 */
export function captureError(error: unknown, details?: CaptureDetails): string | undefined {
  return currentReporter()?.captureError(error, details, captureError);
}
