export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** ISO 8601 from milliseconds since 1970. */
export const at = (time: number): string => new Date(time).toISOString();

/** The UTC date, `2026-11-20`, from milliseconds since 1970. */
export const dateAt = (time: number): string => at(time).slice(0, 10);

/** Days since 1970 in UTC. */
export const dayOf = (time: number): number => Math.floor(time / DAY);

export const moment = (time: number | null): string | null => (time === null ? null : at(time));
