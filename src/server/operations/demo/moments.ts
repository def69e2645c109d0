export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Milliseconds since 1970 as the database takes them. */
export const at = (moment: number): string => new Date(moment).toISOString();

/** Milliseconds since 1970 as a date. */
export const dateAt = (moment: number): string => at(moment).slice(0, 10);

/** The UTC day's number. */
export const dayOf = (moment: number): number => Math.floor(moment / DAY);
