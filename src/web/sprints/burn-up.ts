import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { addDays, daysBetween } from "../kit/days.ts";

/** The chart shows at most this many days, the last ones of a longer sprint. */
const MOST_DAYS = 92;

export type BurnUp = {
  days: string[];
  /** The number of issues in the sprint. */
  scope: (number | null)[];
  /** How many of them are closed. */
  done: (number | null)[];
};

type Counted = Pick<Issue, "created_at" | "closed_at">;

/**
 * Scope and closed issues at the end of each UTC day; null for days in the future; undefined before the sprint begins.
 * When an issue was added to the sprint is not recorded, so it counts from the day it was created, but at the earliest
 * from the first day of the sprint.
 */
export function burnUp(
  sprint: Pick<Sprint, "starts_on" | "ends_on" | "state" | "created_at">,
  issues: readonly Counted[],
  today: string,
): BurnUp | undefined {
  const first = sprint.starts_on ?? sprint.created_at.slice(0, 10);
  if (first > today) return undefined;
  const last = lastDay(sprint, issues, today);
  const length = daysBetween(first, last);
  const begin = length > MOST_DAYS ? addDays(last, 1 - MOST_DAYS) : first;
  const days = Array.from({ length: Math.min(length, MOST_DAYS) }, (_, index) => addDays(begin, index));
  const isReached = (day: string) => day <= today;
  return {
    days,
    scope: days.map((day) => (isReached(day) ? upTo(issues.map(createdOn), day) : null)),
    done: days.map((day) => (isReached(day) ? upTo(issues.flatMap(closedOn), day) : null)),
  };
}

/** The last day of the chart: the planned end, or later if work went on after it. */
function lastDay(
  { starts_on, ends_on, state, created_at }: Parameters<typeof burnUp>[0],
  issues: readonly Counted[],
  today: string,
): string {
  const first = starts_on ?? created_at.slice(0, 10);
  const reached = state === "closed" ? issues.flatMap(closedOn).reduce(later, first) : today;
  return [ends_on ?? first, reached].reduce(later, first);
}

const createdOn = ({ created_at }: Counted) => created_at.slice(0, 10);
const closedOn = ({ closed_at }: Counted) => (closed_at === null ? [] : [closed_at.slice(0, 10)]);
const upTo = (moments: readonly string[], day: string) => moments.filter((moment) => moment <= day).length;
const later = (a: string, b: string) => (a > b ? a : b);
