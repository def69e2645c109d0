import type { Epic } from "../../shared/epics.ts";
import { addDays, daysBetween } from "../kit/dates/days.ts";
import type { EpicDates } from "./shift-dates.ts";

/** Positions are percentages of the width. */
export type Timeline = {
  months: { name: string; start: number; width: number }[];
  today: number;
  /** How many days the width stands for. */
  days: number;
  /** Where a bar with these dates is; undefined without dates. */
  barOf: (dates: EpicDates) => { start: number; width: number } | undefined;
  /** By epic; those without dates have none. */
  bars: ReadonlyMap<number, { start: number; width: number }>;
};

const MIN_MONTHS = 3;
/** Dates further than this from today are cut off. */
const MAX_MONTHS = 18;

/** Whole months around today and all dates. A bar without a start or an end reaches the edge. */
export function timelineOf(
  epics: readonly Pick<Epic, "id" | "starts_on" | "ends_on">[],
  today: string,
): Timeline {
  const days = epics.flatMap(({ starts_on, ends_on }) => [starts_on ?? today, ends_on ?? today]);
  const from = firstOfMonth(days.reduce(earlier, today));
  const to = firstOfMonth(days.reduce(later, today), 1);
  const first = later(from, firstOfMonth(today, -MAX_MONTHS));
  const end = later(earlier(to, firstOfMonth(today, MAX_MONTHS + 1)), firstOfMonth(first, MIN_MONTHS));
  const length = daysBetween(first, end) - 1;
  const place = (day: string) => Math.min(100, Math.max(0, ((daysBetween(first, day) - 1) * 100) / length));
  const months: Timeline["months"] = [];
  for (let month = first; month < end; month = firstOfMonth(month, 1)) {
    const start = place(month);
    months.push({
      name: monthName(month, months.length === 0),
      start,
      width: place(firstOfMonth(month, 1)) - start,
    });
  }
  const barOf = ({ starts_on, ends_on }: EpicDates) => {
    if (starts_on === null && ends_on === null) return undefined;
    const start = starts_on === null ? 0 : place(starts_on);
    return { start, width: (ends_on === null ? 100 : place(addDays(ends_on, 1))) - start };
  };
  const bars = new Map<number, { start: number; width: number }>();
  for (const { id, starts_on, ends_on } of epics) {
    const bar = barOf({ starts_on, ends_on });
    if (bar) bars.set(id, bar);
  }
  return { months, today: place(today), days: length, barOf, bars };
}

function firstOfMonth(day: string, months = 0): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

/** "Nov", with the year in January and in the first month. */
function monthName(day: string, isFirst: boolean): string {
  const year = isFirst || day.slice(5, 7) === "01" ? ({ year: "numeric" } as const) : {};
  return new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC", ...year }).format(Date.parse(day));
}

const earlier = (a: string, b: string) => (a < b ? a : b);
const later = (a: string, b: string) => (a > b ? a : b);
