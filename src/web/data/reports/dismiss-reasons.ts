import type { DismissReason } from "../../../shared/reports.ts";

/** In the order of the keys 1 to 4. */
export const DISMISS_REASONS: readonly { value: DismissReason; label: string; hint: string }[] = [
  { value: "not-planned", label: "Not planned", hint: "A valid request that is not planned for now." },
  { value: "duplicate", label: "Duplicate", hint: "Already tracked by an issue or another report." },
  { value: "already-shipped", label: "Already shipped", hint: "The fix or feature already exists." },
  { value: "invalid", label: "Invalid", hint: "Spam, test data or a support question." },
];

/** Older dismissals have no reason. */
export function reasonLabel(reason: DismissReason | null): string {
  return DISMISS_REASONS.find(({ value }) => value === reason)?.label ?? "Dismissed";
}
