import { attempt } from "./safe.ts";
import type { CaptureDetails } from "./options.ts";

/** Details of an error, with the user's id, which only Node can hash. */
export type Described = CaptureDetails & { userId?: string | number | undefined };

/** The details of requests, stored by integrations. Registered globally, because each integration is a separate bundle. */
const key = Symbol.for("@signalbox/reporter.describe");

/** Adds a request's details to errors that are captured during it: `describe` runs when one is captured. */
export function describeRequest(request: object, describe: (request: never) => Described): void {
  attempt(() => Object.defineProperty(request, key, { value: describe, configurable: true }));
}

/** The function that `describeRequest` stored for this object. */
export function descriptionOf(request: unknown): ((request: unknown) => Described) | undefined {
  return attempt(() => (request as Record<symbol, (request: unknown) => Described>)[key]);
}
