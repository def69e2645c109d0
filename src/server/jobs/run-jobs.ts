import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import type { Db } from "../db/connect.ts";
import { findWork, type HasWork } from "./find-work.ts";
import { asError, backoffSeconds, type Job } from "./job.ts";
import { LEASE_TIMES, type LeaseTimes } from "./lease.ts";
import { poll } from "./polling-job.ts";
import { lookWhetherDue } from "./scheduled-job.ts";
import { takeTurns, type InTurn } from "./take-turns.ts";

export type RunningJobs = {
  /** Aborts running work, and resolves when all of it has ended. */
  stop(): Promise<void>;
};

/** The longest wait, because another process may make a job due earlier than this one expects. */
const MAX_WAIT_MS = 30_000;

const STOPPED = Promise.resolve({ failures: 0, waitMs: 0 });

type Options = { pool: pg.Pool; db: Db; log: Logger; times?: LeaseTimes };

/**
 * Runs the jobs until stopped. Any number of processes may run the same jobs on one database. The jobs of a process take turns, so
 * that they need only one or two database connections, which take several megabytes of memory each.
 */
export function runJobs(jobs: Job[], options: Options): RunningJobs {
  const stopping = new AbortController();
  const shared = { inTurn: takeTurns(), hasWork: findWork(options.db, jobs) };
  const loops = jobs.map((job) => runRepeatedly(job, { ...options, ...shared }, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** Logs a failure once, and again only after a different failure or a success. */
async function runRepeatedly(
  job: Job,
  { pool, log, times = LEASE_TIMES, inTurn, hasWork }: Options & { inTurn: InTurn; hasWork: HasWork },
  stopping: AbortSignal,
): Promise<void> {
  const look = "schedule" in job ? lookWhetherDue(pool, job, times) : poll(pool, job, hasWork);
  let errors = 0;
  let logged: string | undefined;
  while (!stopping.aborted) {
    let waitMs: number;
    try {
      const found = await inTurn(() => (stopping.aborted ? STOPPED : look(stopping)));
      waitMs = Math.min(found.waitMs, MAX_WAIT_MS);
      if (found.failures === 0 && errors > 0) {
        log.info({ job: job.name }, "a background job works again");
        errors = 0;
        logged = undefined;
      }
    } catch (thrown) {
      if (stopping.aborted) return;
      const error = asError(thrown);
      errors++;
      if (error.message !== logged) log.error({ err: error, job: job.name }, "a background job failed");
      logged = error.message;
      waitMs = Math.min(backoffSeconds(job, errors) * 1_000, MAX_WAIT_MS);
    }
    await pause(waitMs, undefined, { signal: stopping }).catch(() => {});
  }
}
