import { instantOfText, textOfInstant } from "../../kit/dates/snooze-times.ts";

/** Start and end as `2026-11-20T14:30` in the person's time zone. */
export type RangeText = { since: string; until: string };

const DAY_MS = 86_400_000;

/** The last 24 hours. */
export const startRange = (now: number, timeZone: string): RangeText => ({
  since: textOfInstant(new Date(now - DAY_MS), timeZone),
  until: textOfInstant(new Date(now), timeZone),
});

type ReadRange = { time: { since: string; until: string } } | { errors: Partial<RangeText> };

/** The range for the API, or what is wrong with its ends. The minute of the end is part of the range. */
export function readRange({ since, until }: RangeText, timeZone: string): ReadRange {
  const start = instantOfText(since, timeZone);
  const end = instantOfText(until, timeZone);
  const missing = "Enter a date and a time.";
  if (start === undefined || end === undefined)
    return {
      errors: {
        ...(start === undefined && { since: missing }),
        ...(end === undefined && { until: missing }),
      },
    };
  if (end < start) return { errors: { until: "Choose an end after the start." } };
  return {
    time: { since: start.toISOString(), until: new Date(end.getTime() + MINUTE_MS - 1).toISOString() },
  };
}

const MINUTE_MS = 60_000;
