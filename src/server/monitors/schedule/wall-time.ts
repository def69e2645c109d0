import { cachedByText } from "../../caches/cached-by-text.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Offsets change by at most this much. */
const MAX_SHIFT = 3 * HOUR;

/**
 * What the clocks of a time zone show, as if it were a time in UTC: so it can be calculated with, without regard to changes of the
 * offset.
 */
export function wallTime(instant: number, timezone: string): number {
  return instant + offsetAt(instant, timezone);
}

/**
 * The instant at which the clocks of a time zone show this time: the first one if they show it twice. If they skip it, the first
 * instant after the skipped time.
 */
export function instantOf(wall: number, timezone: string): number {
  const before = offsetAt(wall - offsetAt(wall, timezone) - MAX_SHIFT, timezone);
  const after = offsetAt(wall - offsetAt(wall, timezone) + MAX_SHIFT, timezone);
  // The earlier instant has the larger offset. It is right if the offset is in force then.
  for (const offset of [Math.max(before, after), Math.min(before, after)])
    if (offsetAt(wall - offset, timezone) === offset) return wall - offset;
  return firstWith(after, wall - before - MAX_SHIFT, wall - after + MAX_SHIFT, timezone);
}

/** The minute at which this offset begins to be in force. */
function firstWith(offset: number, from: number, to: number, timezone: string): number {
  let [low, high] = [Math.floor(from / MINUTE), Math.ceil(to / MINUTE)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * MINUTE, timezone) === offset) high = middle;
    else low = middle;
  }
  return high * MINUTE;
}

/** Milliseconds that the clocks are ahead of UTC. */
function offsetAt(instant: number, timezone: string): number {
  if (timezone === "UTC") return 0;
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<"year" | "month" | "day" | "hour" | "minute" | "second", number>;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}

/** There are about 450 time zones with names of about 15 characters, but each can be written in many ways, because case is ignored. */
const MAX_CACHED_CHARACTERS = 20_000;

/** Throws if there is no such time zone. */
const formatOf = cachedByText(MAX_CACHED_CHARACTERS, (timezone) => {
  const numeric = "numeric";
  return new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
});

/** Whether it is an IANA time zone. Offsets such as `+01:00` are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}
