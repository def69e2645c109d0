import type { MonitorSchedule } from "../../shared/monitors.ts";

/** "Every 5 minutes", "At 02:00 every day"; a crontab that no short sentence describes stays as it is. */
export function scheduleText(schedule: MonitorSchedule): string {
  if (schedule.type === "interval") return everyText(schedule.value, schedule.unit);
  return crontabText(schedule.value) ?? schedule.value;
}

const everyText = (count: number, unit: string) =>
  count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;

const NICKNAMES: Record<string, string> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** More times of a day than these are not listed. */
const MAX_TIMES = 4;

function crontabText(crontab: string): string | undefined {
  const text = crontab.trim().toLowerCase();
  const fields = (NICKNAMES[text] ?? text).split(/\s+/);
  const [minute, hour, day, month, weekday] = fields;
  if (fields.length !== 5 || !minute || !hour || !day || !month || !weekday) return undefined;
  const time = timeText(minute, hour);
  const days = daysText(day, weekday);
  const months = month === "*" ? "" : monthsText(month);
  if (time === undefined || days === undefined || months === undefined) return undefined;
  // "Every 5 minutes" already says that it is every day.
  const isEveryDay = days === "every day";
  const shown = isEveryDay && (time.startsWith("Every") || months !== "") ? "" : days;
  return [time, shown, months].filter((part) => part !== "").join(" ");
}

function timeText(minute: string, hour: string): string | undefined {
  const step = stepOf(minute);
  if (step !== undefined) {
    const hours = hoursText(hour);
    return hours === undefined ? undefined : everyText(step, "minute") + hours;
  }
  const minutes = listOf(minute, 0, 59);
  if (minutes === undefined) return undefined;
  const everyHours = stepOf(hour);
  if (everyHours !== undefined) {
    const [first] = minutes;
    if (minutes.length > 1 || first === undefined) return undefined;
    return first === 0 ? everyText(everyHours, "hour") : `${everyText(everyHours, "hour")} at :${two(first)}`;
  }
  const hours = listOf(hour, 0, 23);
  if (hours === undefined || minutes.length * hours.length > MAX_TIMES) return undefined;
  return `At ${listText(hours.flatMap((at) => minutes.map((past) => `${two(at)}:${two(past)}`)))}`;
}

/** The hours in which something happens every few minutes. */
function hoursText(hour: string): string | undefined {
  if (hour === "*") return "";
  const range = /^(\d{1,2})-(\d{1,2})$/.exec(hour);
  return range ? ` from ${two(Number(range[1]))}:00 to ${two(Number(range[2]))}:59` : undefined;
}

/** If both are given, cron runs on either, which no short sentence says. */
function daysText(day: string, weekday: string): string | undefined {
  if (isAny(day) && isAny(weekday)) return "every day";
  if (isAny(day)) return weekdaysText(weekday);
  const days = listOf(day, 1, 31);
  if (days === undefined || !isAny(weekday) || days.length > MAX_TIMES) return undefined;
  return `on ${days.length === 1 ? "day" : "days"} ${listText(days.map(String))} of the month`;
}

function weekdaysText(weekday: string): string | undefined {
  const days = listOf(withNumbers(weekday, WEEKDAYS, 0), 0, 7)?.map((number) => number % 7);
  if (days === undefined) return undefined;
  const names = [1, 2, 3, 4, 5, 6, 0].filter((number) => days.includes(number));
  if (names.length === 7) return "every day";
  if (names.join() === "1,2,3,4,5") return "on weekdays";
  return `on ${listText(names.map((number) => WEEKDAYS[number] ?? ""))}`;
}

function monthsText(month: string): string | undefined {
  const months = listOf(withNumbers(month, MONTHS, 1), 1, 12);
  if (months === undefined || months.length > MAX_TIMES) return undefined;
  return `in ${listText(months.map((number) => MONTHS[number - 1] ?? ""))}`;
}

const isAny = (field: string) => field === "*" || field === "?";

/** The step of a field that starts at its first value; 1 for `*`. */
function stepOf(field: string): number | undefined {
  if (field === "*") return 1;
  const step = /^\*\/(\d{1,2})$/.exec(field);
  return step && Number(step[1]) > 0 ? Number(step[1]) : undefined;
}

/** The values of a list of numbers and ranges, in order. */
function listOf(field: string, min: number, max: number): number[] | undefined {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const range = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part);
    if (range === null) return undefined;
    const from = Number(range[1]);
    const to = range[2] === undefined ? from : Number(range[2]);
    if (from < min || to > max || from > to) return undefined;
    for (let value = from; value <= to; value++) values.add(value);
  }
  return [...values].toSorted((a, b) => a - b);
}

/** Names such as `mon` as numbers. */
const withNumbers = (field: string, names: readonly string[], first: number) =>
  field.replace(/[a-z]{3}/g, (name) => {
    const index = names.findIndex((one) => one.toLowerCase().startsWith(name));
    return index === -1 ? name : String(index + first);
  });

const two = (value: number) => String(value).padStart(2, "0");

/** "Monday", "Monday and Friday", "Monday, Tuesday and Friday". */
const listText = (items: readonly string[]) =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`;
