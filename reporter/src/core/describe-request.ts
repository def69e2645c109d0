import { attempt } from "./safe.ts";
import type { CaptureDetails } from "./options.ts";

/** Details of an error, with the user's id, which only Node can hash. */
export type Described = CaptureDetails & { userId?: string | number | undefined };

/** Where integrations leave what they know about a request. Registered globally, because each is a file of its own. */
const key = Symbol.for("@signalbox/reporter.describe");

/** Lets errors that are captured during a request have its details: `describe` runs when one is captured. */
export function describeRequest(request: object, describe: (request: never) => Described): void {
  attempt(() => Object.defineProperty(request, key, { value: describe, configurable: true }));
}

/** What `describeRequest` was called with, for this object. */
export function descriptionOf(request: unknown): ((request: unknown) => Described) | undefined {
  return attempt(() => (request as Record<symbol, (request: unknown) => Described>)[key]);
}
