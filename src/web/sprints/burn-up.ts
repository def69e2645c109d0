import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { addDays, daysBetween } from "../kit/dates/days.ts";
import { type Measure, sizeOfAll } from "./measure.ts";

/** The chart shows at most this many days, the last ones of a longer sprint. */
const MAX_DAYS = 92;

export type BurnUp = {
  days: string[];
  /** The size of the sprint's issues. */
  scope: (number | null)[];
  /** The size of those that are closed. */
  done: (number | null)[];
  /** Steady progress to today's scope on the planned last day; undefined if that day is not set. */
  ideal: number[] | undefined;
};

type Counted = Pick<Issue, "created_at" | "closed_at" | "estimated_minutes">;

/**
 * Scope and closed issues at the end of each UTC day, in issues or minutes; null for days in the future; undefined before the sprint begins.
 * When an issue was added to the sprint is not recorded, so it counts from the day it was created, but at the earliest
 * from the first day of the sprint.
 */
export function burnUp(
  sprint: Pick<Sprint, "starts_on" | "ends_on" | "state" | "created_at">,
  issues: readonly Counted[],
  today: string,
  measure: Measure = "issues",
): BurnUp | undefined {
  const first = sprint.starts_on ?? sprint.created_at.slice(0, 10);
  if (first > today) return undefined;
  const last = lastDay(sprint, issues, today);
  const length = daysBetween(first, last);
  const begin = length > MAX_DAYS ? addDays(last, 1 - MAX_DAYS) : first;
  const days = Array.from({ length: Math.min(length, MAX_DAYS) }, (_, index) => addDays(begin, index));
  const sizeOn = (day: string, dayOf: (issue: Counted) => string | undefined) =>
    day > today
      ? null
      : sizeOfAll(
          issues.filter((issue) => (dayOf(issue) ?? "9") <= day),
          measure,
        );
  return {
    days,
    scope: days.map((day) => sizeOn(day, createdOn)),
    done: days.map((day) => sizeOn(day, closedOn)),
    ideal:
      sprint.ends_on === null
        ? undefined
        : idealLine(days, first, sprint.ends_on, sizeOfAll(issues, measure)),
  };
}

function idealLine(days: readonly string[], first: string, end: string, scope: number): number[] {
  const length = Math.max(1, daysBetween(first, end));
  return days.map(
    (day) => Math.round((scope * Math.min(length, daysBetween(first, day)) * 10) / length) / 10,
  );
}

/** The last day of the chart: the planned end, or later if work went on after it. */
function lastDay(
  { starts_on, ends_on, state, created_at }: Parameters<typeof burnUp>[0],
  issues: readonly Counted[],
  today: string,
): string {
  const first = starts_on ?? created_at.slice(0, 10);
  const reached =
    state === "closed" ? issues.map((issue) => closedOn(issue) ?? first).reduce(later, first) : today;
  return [ends_on ?? first, reached].reduce(later, first);
}

const createdOn = ({ created_at }: Counted) => created_at.slice(0, 10);
const closedOn = ({ closed_at }: Counted) => closed_at?.slice(0, 10);
const later = (a: string, b: string) => (a > b ? a : b);
