import type { DismissReason } from "../../shared/reports.ts";

/** In the order of their keys, 1 to 4. */
export const DISMISS_REASONS: readonly { value: DismissReason; label: string; hint: string }[] = [
  { value: "not-planned", label: "Not planned", hint: "A valid request that is not planned now." },
  { value: "duplicate", label: "Duplicate", hint: "An issue or another report tracks it already." },
  { value: "already-shipped", label: "Already shipped", hint: "The fix or the capability exists." },
  { value: "invalid", label: "Invalid", hint: "Spam, test data or a support question." },
];

/** Older dismissals have no reason. */
export function reasonWords(reason: DismissReason | null): string {
  return DISMISS_REASONS.find(({ value }) => value === reason)?.label ?? "Dismissed";
}
