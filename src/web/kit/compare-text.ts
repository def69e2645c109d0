/** By code units, as server times in ISO 8601, days and ranks sort; never by a language's order. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
