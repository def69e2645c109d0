import { attempt, property } from "./safe.ts";
import { MAX_PREVIOUS } from "./limits.ts";

/**
 * The errors that led to `error`, outermost first: its `cause` and the members of an AggregateError, then theirs, level
 * by level. Returns at most 10, the server's limit, and each error once, so circular chains end.
 */
export function previousErrors(error: unknown): unknown[] {
  const seen = new Set([error]);
  for (const current of seen) {
    if (seen.size > MAX_PREVIOUS) break;
    for (const next of directCauses(current)) seen.add(next);
  }
  return [...seen].slice(1, MAX_PREVIOUS + 1);
}

function directCauses(error: unknown): unknown[] {
  const members = property(error, "errors");
  // Validation libraries put plain objects into `errors`, so only members with a stack belong to the chain.
  const thrown =
    attempt(() => Array.isArray(members) && members.slice(0, MAX_PREVIOUS).filter(hasStack)) || [];
  return [property(error, "cause"), ...thrown].filter((cause) => cause !== undefined && cause !== null);
}

function hasStack(member: unknown): unknown {
  return property(member, "stack");
}
