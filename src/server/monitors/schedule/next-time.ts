import type { MonitorSchedule } from "../../../shared/monitors.ts";
import { crontabOf } from "./crontab.ts";
import { instantOf, wallTime } from "./wall-time.ts";

export type Scheduled = { schedule: MonitorSchedule; timezone: string };

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/**
 * The schedule's first time after this instant, both in milliseconds since 1970. Days, weeks and months are those of the time zone's
 * calendar. A time that its clocks skip becomes the first one after the skipped ones, and one that they show twice counts the first
 * time.
 */
export function nextTime({ schedule, timezone }: Scheduled, after: number): number {
  const wall = wallTime(after, timezone);
  if (schedule.type === "interval") return afterInterval(schedule, timezone, after, wall);
  const crontab = crontabOf(schedule.value);
  let time = wall;
  for (;;) {
    const next = crontab?.next(time);
    if (next === undefined) throw new Error(`The crontab ${schedule.value} has no further time.`);
    const instant = instantOf(next, timezone);
    // It may have been the time that the clocks showed before they were set back.
    if (instant > after) return instant;
    time = next;
  }
}

function afterInterval(
  { value, unit }: Extract<MonitorSchedule, { type: "interval" }>,
  timezone: string,
  after: number,
  wall: number,
): number {
  if (unit === "minute") return after + value * MINUTE;
  if (unit === "hour") return after + value * 60 * MINUTE;
  if (unit === "month") return instantOf(addMonths(wall, value), timezone);
  return instantOf(wall + value * (unit === "week" ? 7 : 1) * DAY, timezone);
}

/** The same day of a later month, or its last one. */
function addMonths(wall: number, months: number): number {
  const date = new Date(wall);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

/** The next times, oldest first. */
export function nextTimes(scheduled: Scheduled, after: number, count: number): number[] {
  const times: number[] = [];
  for (let time = after; times.length < count;) times.push((time = nextTime(scheduled, time)));
  return times;
}
