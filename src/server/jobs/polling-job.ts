import type pg from "pg";
import type { HasWork } from "./find-work.ts";
import { asError, type Look, type PollingJob } from "./job.ts";

/** Successes are recorded at most once in this time, because a job may poll every second. */
const RECORD_SUCCESS_MS = 60_000;

/** Runs the job if it has work, and records each failure, the first success after it, and otherwise one success a minute. */
export function poll(pool: pg.Pool, job: PollingJob, hasWork: HasWork): Look {
  const { name, pauseMs } = job;
  let isRegistered = false;
  let failures = 0;
  let recordedAt = -Infinity;
  return async (stopping) => {
    if (!isRegistered) await pool.query(REGISTER, [name, pauseMs]);
    isRegistered = true;
    const startedAt = performance.now();
    const failure = await workIfAny(job, hasWork, stopping).then(() => undefined, asError);
    const endedAt = performance.now();
    const seconds = (endedAt - startedAt) / 1_000;
    if (failure) {
      failures++;
      // If recording fails, too, the cause is most likely the same, so throw the run's own error.
      if (!stopping.aborted)
        await pool.query(FAILED, [name, seconds, failures, failure.message]).catch(() => {});
      throw failure;
    }
    if (failures > 0 || endedAt >= recordedAt + RECORD_SUCCESS_MS) {
      await pool.query(SUCCEEDED, [name, seconds]);
      failures = 0;
      recordedAt = endedAt;
    }
    return { failures, waitMs: untilNextTick(pauseMs) };
  };
}

async function workIfAny(job: PollingJob, hasWork: HasWork, stopping: AbortSignal): Promise<void> {
  if (await hasWork(job)) await job.work(stopping);
}

/** Jobs with the same pause look at the same moment, so that one question serves all of them. */
const untilNextTick = (pauseMs: number): number => pauseMs - (performance.now() % pauseMs);

const REGISTER = `
insert into background_jobs (name, period) values ($1, $2 * interval '1 millisecond')
on conflict (name) do update set period = excluded.period, due_at = null, lease_id = null, leased_until = null`;

const SUCCEEDED = `
update background_jobs
set finished_at = now(), succeeded_at = now(), seconds = $2, failures = 0, last_error = null
where name = $1`;

const FAILED = `
update background_jobs set finished_at = now(), seconds = $2, failures = $3, last_error = $4
where name = $1`;
