import { instantOfText } from "../../kit/dates/snooze-times.ts";
import type { Snooze } from "../../data/errors/snooze-text.ts";

/** The fields of the dialog, as typed. */
export type SnoozeText = { [field in keyof Required<Snooze>]: string };

export const EMPTY_SNOOZE: SnoozeText = { at: "", occurrences: "", users: "", release: "" };

const MAX = { occurrences: 1_000_000_000, users: 10_000 };

/** The conditions that were typed, or what is wrong with them by field. */
export function readSnooze(
  text: SnoozeText,
  { timeZone, now }: { timeZone: string; now: number },
): { until: Snooze } | { errors: { [field in keyof Snooze]?: string } } {
  const until: Snooze = {};
  const errors: { [field in keyof Snooze]?: string } = {};
  if (text.at !== "") {
    const at = instantOfText(text.at, timeZone);
    if (at === undefined) errors.at = "Enter a date and a time.";
    else if (at.getTime() <= now) errors.at = "Choose a time in the future.";
    else until.at = at.toISOString();
  }
  for (const field of ["occurrences", "users"] as const) {
    const typed = text[field].trim();
    if (typed === "") continue;
    const count = /^\d{1,10}$/.test(typed) ? Number(typed) : 0;
    if (count < 1 || count > MAX[field])
      errors[field] = `Enter a whole number from 1 to ${MAX[field].toLocaleString("en")}.`;
    else until[field] = count;
  }
  const release = text.release.trim();
  if (release !== "") until.release = release;
  if (Object.keys(errors).length > 0) return { errors };
  return Object.keys(until).length > 0 ? { until } : { errors: { at: "Enter at least one condition." } };
}
