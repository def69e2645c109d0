import { attempt, property } from "./safe.ts";
import { maxPrevious } from "./limits.ts";

/**
 * The exceptions behind `error`, outermost first: its `cause`, then the members of an AggregateError, then theirs,
 * level by level. At most 10 (section 4.6); a circular chain ends where it would begin again.
 */
export function previousErrors(error: unknown): unknown[] {
  const seen = new Set([error]);
  for (const current of seen) {
    if (seen.size > maxPrevious) break;
    for (const next of directCauses(current)) seen.add(next);
  }
  return [...seen].slice(1, maxPrevious + 1);
}

function directCauses(error: unknown): unknown[] {
  const members = property(error, "errors");
  // Validation libraries keep plain objects in `errors`; a chain has only what carries a stack.
  const thrown =
    attempt(() => Array.isArray(members) && members.slice(0, maxPrevious).filter(hasStack)) || [];
  return [property(error, "cause"), ...thrown].filter((one) => one !== undefined && one !== null);
}

function hasStack(member: unknown): unknown {
  return property(member, "stack");
}
