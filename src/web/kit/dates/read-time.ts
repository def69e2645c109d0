/**
 * The time of day that a person typed, as `14:30`; undefined if it is not a time. Understands "14:30", "14.30", "1430", "9", "2 pm" and
 * "2:30 pm".
 */
export function readTime(text: string): string | undefined {
  const found = /^(\d{1,2})(?:[:.h]?(\d\d))?\s*(?:([ap])\.?m\.?)?$/.exec(text.trim().toLowerCase());
  if (found === null) return undefined;
  const [, typed, minute = "00", half] = found;
  const hour = Number(typed);
  if (Number(minute) > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return undefined;
  const hours = half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0);
  return `${String(hours).padStart(2, "0")}:${minute}`;
}

const DAY_MINUTES = 24 * 60;

/** `14:30` and 15 minutes is `14:45`; midnight follows 23:45. */
export function addMinutes(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const sum = (hour * 60 + minute + minutes + DAY_MINUTES) % DAY_MINUTES;
  return [Math.floor(sum / 60), sum % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
