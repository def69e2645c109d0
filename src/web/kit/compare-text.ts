/** Compares by code units, which is how ISO 8601 times, days and ranks sort. Never locale-aware. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
