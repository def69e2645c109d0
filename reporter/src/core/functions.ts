import { currentReporter } from "./current.ts";
import type { NewBreadcrumb } from "./trail.ts";

/**
 * Adds a tag to all further errors; within a request or job, only to its errors. Does nothing before `init`, and never throws.
 */
export function setTag(name: string, value: string | number | boolean): void {
  currentReporter()?.setTag(name, value);
}

/**
 * Adds a breadcrumb to all further errors; within a request or job, only to its errors. Does nothing before `init`, and never
 * throws.
 */
export function addBreadcrumb(breadcrumb: NewBreadcrumb): void {
  currentReporter()?.addBreadcrumb(breadcrumb);
}

/** Waits until all events are sent, at most `deadlineMs` (default 2,000). Resolves to whether they are. */
export function flush(deadlineMs?: number): Promise<boolean> {
  return currentReporter()?.flush(deadlineMs) ?? Promise.resolve(true);
}
