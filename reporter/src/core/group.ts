import type { ErrorEventBody } from "./event.ts";

/** What events have in common that compete for the same share of a limit: the fingerprint, else class and top frame. */
export function groupOf({ exception_class, stack_trace, tags }: ErrorEventBody): string {
  return tags?.["fingerprint"] ?? `${exception_class} ${stack_trace.split("\n", 1)[0]!.trim()}`;
}
