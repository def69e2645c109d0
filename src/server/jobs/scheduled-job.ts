import type pg from "pg";
import { asError, backoffSeconds, type Look, type ScheduledJob } from "./job.ts";
import { keepRenewing, releaseLease, takeLease, type Lease, type LeaseTimes } from "./lease.ts";

/** Midnight UTC of any day: runs are due a whole number of periods after it, plus the offset. */
const NEXT_DUE = `date_bin($2 * interval '1 second', clock_timestamp(),
  timestamptz '2000-01-01 00:00Z' + $3 * interval '1 second') + $2 * interval '1 second'`;

/** Prevents a rolling restart of several servers from running the jobs that are due at the start more than once. */
const RECENTLY = "interval '10 minutes'";

/** Adds the job's row, or brings it to this version's schedule. A job that runs at the start becomes due now. */
export async function registerScheduledJob(pool: pg.Pool, job: ScheduledJob): Promise<void> {
  const { periodSeconds, offsetSeconds } = job.schedule;
  await pool.query(REGISTER, [job.name, periodSeconds, offsetSeconds, job.atStart ?? false]);
}

const REGISTER = `
insert into background_jobs as job (name, period, due_at)
values ($1, $2 * interval '1 second', case when $4 then clock_timestamp() else ${NEXT_DUE} end)
on conflict (name) do update set period = excluded.period, due_at = least(job.due_at,
  case when $4 and job.succeeded_at > clock_timestamp() - ${RECENTLY} then ${NEXT_DUE} else excluded.due_at end)`;

/** Runs the job if it is due and no other process runs it. */
export function lookWhetherDue(pool: pg.Pool, job: ScheduledJob, times: LeaseTimes): Look {
  let isRegistered = false;
  return async (stopping) => {
    if (!isRegistered) await registerScheduledJob(pool, job);
    isRegistered = true;
    const { lease, ...found } = await takeLease(pool, job, times.leaseMs);
    if (!lease) return found;
    await run(pool, job, { lease, times, stopping });
    return { failures: 0, waitMs: 0 };
  };
}

async function run(
  pool: pg.Pool,
  job: ScheduledJob,
  { lease, times, stopping }: { lease: Lease; times: LeaseTimes; stopping: AbortSignal },
): Promise<void> {
  const startedAt = performance.now();
  const renewal = keepRenewing(pool, lease, times);
  const failure = await job.work(AbortSignal.any([stopping, renewal.lost])).then(() => undefined, asError);
  await renewal.end();
  renewal.lost.throwIfAborted();
  const seconds = (performance.now() - startedAt) / 1_000;
  if (!failure) await recordSuccess(pool, job, lease, seconds);
  else if (stopping.aborted) await releaseLease(pool, lease);
  else {
    await recordFailure(pool, job, { lease, seconds, error: failure });
    throw failure;
  }
}

export async function recordSuccess(
  pool: pg.Pool,
  { schedule: { periodSeconds, offsetSeconds } }: ScheduledJob,
  lease: Lease,
  seconds: number,
): Promise<void> {
  await pool.query(SUCCEEDED, [lease.id, periodSeconds, offsetSeconds, seconds]);
}

const SUCCEEDED = `
update background_jobs
set finished_at = now(), succeeded_at = now(), seconds = $4, failures = 0, last_error = null,
  due_at = ${NEXT_DUE}, lease_id = null, leased_until = null
where lease_id = $1`;

export async function recordFailure(
  pool: pg.Pool,
  job: ScheduledJob,
  { lease, seconds, error: { message } }: { lease: Lease; seconds: number; error: Error },
): Promise<void> {
  const failures = lease.failures + 1;
  await pool.query(FAILED, [lease.id, seconds, failures, message, backoffSeconds(job, failures)]);
}

const FAILED = `
update background_jobs
set finished_at = now(), seconds = $2, failures = $3, last_error = $4,
  due_at = clock_timestamp() + $5 * interval '1 second', lease_id = null, leased_until = null
where lease_id = $1`;
