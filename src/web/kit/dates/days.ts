const DAY_MS = 86_400_000;

/** Every row of a list asks for the same day, and a formatter is expensive to create. */
let latest: { timeZone: string; now: number; today: string } | undefined;

/** Today's date in the time zone: `2026-11-20`. */
export function todayIn(timeZone: string, now: number): string {
  if (latest?.timeZone === timeZone && latest.now === now) return latest.today;
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(now);
  // Engines disagree about the order and the separators of every locale.
  const part = (type: string) => parts.find((one) => one.type === type)?.value;
  const today = `${part("year")}-${part("month")}-${part("day")}`;
  latest = { timeZone, now, today };
  return today;
}

/** ISO dates sort as text. */
export const isPast = (day: string | null, today: string): boolean => day !== null && day < today;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Inclusive of both days. */
export const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY_MS) + 1;
