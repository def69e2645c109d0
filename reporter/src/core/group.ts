import type { ErrorEventBody } from "./event.ts";

/** The key of events that share a part of the limits: the fingerprint, else class and top frame. */
export function groupOf({ exception_class, stack_trace, fingerprint }: ErrorEventBody): string {
  return fingerprint?.toString() ?? `${exception_class} ${stack_trace.split("\n", 1)[0]!.trim()}`;
}
