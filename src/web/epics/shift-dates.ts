import type { Epic } from "../../shared/epics.ts";
import { addDays } from "../kit/dates/days.ts";

export type EpicDates = Pick<Epic, "starts_on" | "ends_on">;

/** What of a bar is moved: all of it, or one of its ends. */
export type BarPart = "whole" | "start" | "end";

/** Moves the dates that are set. A bar stays at least one day long. */
export function shiftDates({ starts_on, ends_on }: EpicDates, part: BarPart, days: number): EpicDates {
  const start = part === "end" || starts_on === null ? starts_on : addDays(starts_on, days);
  const end = part === "start" || ends_on === null ? ends_on : addDays(ends_on, days);
  if (start === null || end === null || start <= end) return { starts_on: start, ends_on: end };
  return part === "start" ? { starts_on: end, ends_on: end } : { starts_on: start, ends_on: start };
}
