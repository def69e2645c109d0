export type SnoozeTime = { label: string; at: Date };

/** The time of day that is offered, and the default of a day. */
export const MORNING = "09:00";
const MORNING_HOUR = 9;
const HOUR_MS = 3_600_000;

/** The times that are offered, in the person's time zone, soonest first. */
export function snoozeTimes(now: Date, timeZone: string): SnoozeTime[] {
  const today = wallTime(now, timeZone);
  // In about three hours, on the hour.
  const later = new Date(Math.ceil((now.getTime() + 2.5 * HOUR_MS) / HOUR_MS) * HOUR_MS);
  const weekday = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay();
  const toMonday = (8 - weekday) % 7 || 7;
  const morningIn = (days: number) =>
    instantOf({ ...today, day: today.day + days, hour: MORNING_HOUR, minute: 0 }, timeZone);
  return [
    ...(wallTime(later, timeZone).day === today.day ? [{ label: "Later today", at: later }] : []),
    { label: "Tomorrow", at: morningIn(1) },
    ...(toMonday === 1 ? [] : [{ label: "Next Monday", at: morningIn(toMonday) }]),
  ];
}

/** The moment of a local date and time, `2026-11-20T14:30`. Undefined if it is incomplete. */
export function instantOfText(text: string, timeZone: string): Date | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour, minute] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return instantOf({ year, month, day, hour, minute }, timeZone);
}

/** `2026-11-20T14:30` in the time zone. */
export function textOfInstant(at: Date, timeZone: string): string {
  const { year, month, day, hour, minute } = wallTime(at, timeZone);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

type WallTime = { year: number; month: number; day: number; hour: number; minute: number };

/** Values beyond the end of a month go on into the next. A time that daylight saving skips becomes the one after it. */
function instantOf({ year, month, day, hour, minute }: WallTime, timeZone: string): Date {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  // The offset at the first guess can be that of the other side of a change of the clocks.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(guess, timeZone));
}

function offsetAt(moment: number, timeZone: string): number {
  const { year, month, day, hour, minute } = wallTime(new Date(moment), timeZone);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(moment / 60_000) * 60_000;
}

function wallTime(at: Date, timeZone: string): WallTime {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
  };
}
