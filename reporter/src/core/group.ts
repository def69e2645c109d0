import type { ErrorEventBody } from "./event.ts";

/** What events have in common that compete for the same share of a limit: the fingerprint, else class and top frame. */
export function groupOf({ exception_class, stack_trace, fingerprint }: ErrorEventBody): string {
  return fingerprint?.toString() ?? `${exception_class} ${stack_trace.split("\n", 1)[0]!.trim()}`;
}
