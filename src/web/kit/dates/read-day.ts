import { addDays } from "./days.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * The day that a person typed, as `2026-11-20`; undefined if it is not a date. Understands "20 Nov 2026", "Nov 20", "20.11.2026",
 * "20112026", "2026-11-20", "today" and "tomorrow". The day comes before the month, and the default year is that of `today`.
 */
export function readDay(text: string, today: string): string | undefined {
  const typed = text.trim().toLowerCase();
  const relative = ["yesterday", "today", "tomorrow"].indexOf(typed);
  if (relative !== -1) return addDays(today, relative - 1);
  const year = today.slice(0, 4);
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed);
  if (iso) return dayOf(iso[1], iso[2], iso[3]);
  const digits = /^(\d\d)(\d\d)(\d{4})$/.exec(typed);
  if (digits) return dayOf(digits[3], digits[2], digits[1]);
  const numbers = /^(\d{1,2})[./-]\s?(\d{1,2})\.?(?:(?:(?<=\.)|[./-])\s?(\d{4}))?$/.exec(typed);
  if (numbers) return dayOf(numbers[3] ?? year, numbers[2], numbers[1]);
  const words = /^(\d{1,2})\.?\s*([a-z]{3,9})\.?,?(?:\s*(\d{4}))?$/.exec(typed);
  if (words) return dayOf(words[3] ?? year, monthOf(words[2]), words[1]);
  const monthFirst = /^([a-z]{3,9})\.?\s*(\d{1,2})(?:,?\s+(\d{4}))?$/.exec(typed);
  if (monthFirst) return dayOf(monthFirst[3] ?? year, monthOf(monthFirst[1]), monthFirst[2]);
  return undefined;
}

/** 1 to 12, of a name's first three letters; 0 if there is none. */
const monthOf = (name = "") => MONTHS.indexOf(name.slice(0, 3)) + 1;

function dayOf(year: string | undefined, month: string | number | undefined, day: string | undefined) {
  const two = (value: string | number | undefined) => String(Number(value)).padStart(2, "0");
  const iso = `${year}-${two(month)}-${two(day)}`;
  const moment = new Date(`${iso}T00:00:00Z`);
  // JavaScript reads 31 February as 3 March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(iso) ? iso : undefined;
}
