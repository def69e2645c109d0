/** Does a job's work. Throws when it fails, and when `signal` aborts it before it is done. */
type Work = (signal: AbortSignal) => Promise<unknown>;

/** A job that one process at a time runs, whenever it is due. */
export type ScheduledJob = {
  name: string;
  schedule: Schedule;
  /** Due at every start of a process as well, unless it succeeded minutes ago. */
  atStart?: boolean;
  work: Work;
};

/** Runs are due every `periodSeconds`, `offsetSeconds` after midnight UTC. The period divides a day. */
export type Schedule = { periodSeconds: number; offsetSeconds: number };

/**
 * A job that every process runs again and again, with a pause in between. Its statements have to share the work between
 * processes (`for update skip locked`): it takes no lease, so that looking for work every second writes nothing.
 */
export type PollingJob = { name: string; pauseMs: number; work: Work };

export type Job = ScheduledJob | PollingJob;

/** Runs a job if it is its turn. Throws when the run failed. */
export type Look = (stopping: AbortSignal) => Promise<{
  /** Runs that failed since the last success. */
  failures: number;
  /** When to look again. */
  waitMs: number;
}>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const everyMinute: Schedule = { periodSeconds: MINUTE, offsetSeconds: 0 };

export const everyFiveMinutes: Schedule = { periodSeconds: 5 * MINUTE, offsetSeconds: 0 };

export const hourlyAt = (minute: number): Schedule => ({
  periodSeconds: HOUR,
  offsetSeconds: minute * MINUTE,
});

/** UTC. */
export const dailyAt = (hour: number, minute: number): Schedule => ({
  periodSeconds: DAY,
  offsetSeconds: hour * HOUR + minute * MINUTE,
});

const periodSecondsOf = (job: Job): number =>
  "schedule" in job ? job.schedule.periodSeconds : job.pauseMs / 1_000;

/**
 * The pause after so many failures in a row: at first 2 seconds, or two pauses of a job that polls more often, doubled by
 * each further failure, and at most 30 seconds, an hour for a daily job.
 */
export function backoffSeconds(job: Job, failures: number): number {
  const period = periodSecondsOf(job);
  return Math.min(Math.min(period, 1) * 2 ** failures, Math.max(30, period / 24));
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
