/** Seconds until the next attempt, by the number of attempts so far: the schedule of Standard Webhooks. */
const PAUSES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const JITTER = 0.2;

/** Undefined after the last attempt. */
export function secondsUntilRetry(attempts: number): number | undefined {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? undefined : pause * (1 + JITTER * (2 * Math.random() - 1));
}
