import type { NewBreadcrumb } from "./core/trail.ts";
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
export type { NewBreadcrumb } from "./core/trail.ts";
export type { Answer, Outgoing, Transport } from "./core/transport.ts";
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

/**
 * Adds a tag to all further errors, or within a request or job to those of it. Does nothing before `init`, and never
 * throws.
 */
export function setTag(name: string, value: string | number | boolean): void {
  currentReporter()?.setTag(name, value);
}

/**
 * Adds something that happened to all further errors, or within a request or job to those of it. Does nothing before
 * `init`, and never throws.
 */
export function addBreadcrumb(breadcrumb: NewBreadcrumb): void {
  currentReporter()?.addBreadcrumb(breadcrumb);
}

/** Waits until all events are sent, at most `deadlineMs` (default 2,000). Resolves to whether they are. */
export function flush(deadlineMs?: number): Promise<boolean> {
  return currentReporter()?.flush(deadlineMs) ?? Promise.resolve(true);
}
