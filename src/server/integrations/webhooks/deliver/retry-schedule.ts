/** Seconds until the next attempt, by the number of attempts so far: the schedule of Standard Webhooks. */
const PAUSES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const JITTER = 0.2;
const MAX_RETRY_AFTER = 86_400;

/** Undefined after the last attempt. */
export function secondsUntilRetry(attempts: number): number | undefined {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? undefined : pause * (1 + JITTER * (2 * Math.random() - 1));
}

/** The seconds that a `Retry-After` header asks for, as a number or a date; at most a day. Undefined if it is neither. */
export function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\s*[0-9]+\s*$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER);
}
