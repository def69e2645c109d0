const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat("en");

/** `12345` → "12.3K"; numbers below 1,000 are unchanged. */
export function compactCount(count: number): string {
  return compact.format(count);
}

/** `12345` → "12,345". */
export function exactCount(count: number): string {
  return exact.format(count);
}

/** The word after a number: `1, "open errors"` → "open error". Words without a plural, such as "open", stay as they are. */
export const unitOf = (count: number, units: string): string =>
  count === 1 ? units.replace(/s$/, "") : units;

/** `1, "event"` → "1 event"; `1234, "event"` → "1,234 events". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${exact.format(count)} ${count === 1 ? one : many}`;
}
