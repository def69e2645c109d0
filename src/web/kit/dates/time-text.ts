const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * "just now", "5 minutes ago", "yesterday", "in 3 days"; beyond 30 days the date. Days are calendar days in `timeZone`.
 * The ISO string may have microseconds.
 */
export function relativeTime(iso: string, now: number, timeZone: string): string {
  const moment = Date.parse(iso);
  const seconds = Math.round((moment - now) / 1000);
  const size = Math.abs(seconds);
  if (size < 45) return "just now";
  if (size < 45 * 60) return relative.format(Math.round(seconds / 60), "minute");
  if (size < 22 * 3600) return relative.format(Math.round(seconds / 3600), "hour");
  const days = dayNumber(moment, timeZone) - dayNumber(now, timeZone);
  if (Math.abs(days) <= 30) return relative.format(days, "day");
  return dateText(iso, now, timeZone);
}

/** The same in at most a few characters, for rows: "now", "5m", "3h", "2d"; beyond 30 days the date. */
export function shortTime(iso: string, now: number, timeZone: string): string {
  const moment = Date.parse(iso);
  const seconds = Math.round(Math.abs(moment - now) / 1000);
  if (seconds < 45) return "now";
  const amount = () => {
    if (seconds < 45 * 60) return `${Math.round(seconds / 60)}m`;
    if (seconds < 22 * 3600) return `${Math.round(seconds / 3600)}h`;
    const days = Math.abs(dayNumber(moment, timeZone) - dayNumber(now, timeZone));
    return days <= 30 ? `${days}d` : undefined;
  };
  const text = amount();
  if (text === undefined) return dateText(iso, now, timeZone);
  return moment > now ? `in ${text}` : text;
}

/** "20 Nov", with the year if it is not the current one. */
export function dateText(iso: string, now: number, timeZone: string): string {
  const sameYear = yearOf(Date.parse(iso), timeZone) === yearOf(now, timeZone);
  return format(timeZone, {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(Date.parse(iso));
}

/** "20 November 2026 at 14:03:22 CET". */
export function absoluteTime(iso: string, timeZone: string): string {
  return format(timeZone, {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  }).format(Date.parse(iso));
}

/** "20 Nov 2026, 14:03", for paper: what is relative today is wrong tomorrow. */
export function printedTime(iso: string, timeZone: string): string {
  return format(timeZone, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  }).format(Date.parse(iso));
}

/** A calendar day in the same style as `dateText`, independent of any time zone. */
export function calendarDay(day: string, now: number, timeZone: string): string {
  return dayText(day, day.slice(0, 4) !== yearOf(now, timeZone));
}

/** `2026-11-20` → "20 Nov 2026", independent of any time zone. */
export function dayText(day: string, withYear = true): string {
  return format("UTC", { day: "numeric", month: "short", ...(withYear ? { year: "numeric" } : {}) }).format(
    Date.parse(`${day.slice(0, 10)}T00:00:00Z`),
  );
}

function dayNumber(moment: number, timeZone: string): number {
  const day = format(timeZone, { year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(moment);
  const part = (type: string) => Number(day.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day")) / 86_400_000;
}

function yearOf(moment: number, timeZone: string): string {
  return format(timeZone, { year: "numeric" }).format(moment);
}

/** Creating a formatter costs more than using it a thousand times. */
function format(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = timeZone + JSON.stringify(options);
  let made = formats.get(key);
  if (made === undefined) {
    made = new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
    formats.set(key, made);
  }
  return made;
}
