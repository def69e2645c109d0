import { currentReporter, setCurrentReporter } from "./core/current.ts";
import { createReporter, type NodeReporter } from "./node/create-reporter.ts";
import type { NodeCaptureDetails, ReporterOptions } from "./node/options.ts";

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
} from "./core/event.ts";
export type { CaptureDetails, Counts, IgnoreRule, SharedOptions } from "./core/options.ts";
export type { Reporter } from "./core/reporter.ts";
export { addBreadcrumb, flush, setTag } from "./core/functions.ts";
export type { NewBreadcrumb } from "./core/trail.ts";
export type { SendResult, Outgoing, Transport } from "./core/transport.ts";
export type { NodeCaptureDetails, ReporterOptions } from "./node/options.ts";
export { createReporter, type NodeReporter };

/**
 * Starts the program's reporter, which `captureError`, `flush` and the integrations use. A second call replaces it.
 * Never throws.
 */
export function init(options: ReporterOptions = {}): NodeReporter {
  const reporter = createReporter(options);
  setCurrentReporter(reporter);
  return reporter;
}

/**
 * Reports an error, or any other thrown value, and returns the event's id. Does nothing before `init`. Never throws and
 * never waits.
 */
export function captureError(error: unknown, details?: NodeCaptureDetails): string | undefined {
  return currentReporter()?.captureError(error, details, captureError);
}
