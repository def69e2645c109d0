/** Does a job's work. Throws when it fails, and when `signal` aborts it before it is done. */
type Work = (signal: AbortSignal) => Promise<unknown>;

/** A job that one process at a time runs, whenever it is due. */
export type ScheduledJob = {
  name: string;
  schedule: Schedule;
  /** Also due at every start of a process, unless it succeeded minutes ago. */
  atStart?: boolean;
  work: Work;
};

/** Runs are due every `periodSeconds`, `offsetSeconds` after midnight UTC. The period divides a day. */
export type Schedule = { periodSeconds: number; offsetSeconds: number };

/**
 * A job that every process runs repeatedly, with a pause in between. It takes no lease, so that polling every second writes
 * nothing. So its statements must share the work between processes (`for update skip locked`).
 */
export type PollingJob = {
  name: string;
  pauseMs: number;
  /** True in SQL if there may be work, for the price of an indexed lookup. Without it, the work is done after each pause. */
  condition?: string;
  work: Work;
};

export type Job = ScheduledJob | PollingJob;

/** Runs a job if it is due. Throws if the run fails. */
export type Look = (stopping: AbortSignal) => Promise<{
  /** Runs that failed since the last success. */
  failures: number;
  /** When to look again. */
  waitMs: number;
}>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const everyTenSeconds: Schedule = { periodSeconds: 10, offsetSeconds: 0 };

export const everyMinute: Schedule = { periodSeconds: MINUTE, offsetSeconds: 0 };

export const everyFiveMinutes: Schedule = { periodSeconds: 5 * MINUTE, offsetSeconds: 0 };

export const hourlyAt = (minute: number): Schedule => ({
  periodSeconds: HOUR,
  offsetSeconds: minute * MINUTE,
});

/** `hour` and `minute` are in UTC. */
export const dailyAt = (hour: number, minute: number): Schedule => ({
  periodSeconds: DAY,
  offsetSeconds: hour * HOUR + minute * MINUTE,
});

const periodSecondsOf = (job: Job): number =>
  "schedule" in job ? job.schedule.periodSeconds : job.pauseMs / 1_000;

/**
 * The pause after this number of consecutive failures: 2 seconds, or two pauses of a job that polls more often, doubled after each
 * further failure. At most 30 seconds, or an hour for a daily job.
 */
export function backoffSeconds(job: Job, failures: number): number {
  const period = periodSecondsOf(job);
  return Math.min(Math.min(period, 1) * 2 ** failures, Math.max(30, period / 24));
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
