import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { ScheduledJob } from "./job.ts";

/** The right to run a scheduled job, until it expires by the database's clock. */
export type Lease = {
  id: string;
  /** Failed runs since the last success. */
  failures: number;
};

export type LeaseTimes = {
  /** How long after the last renewal other processes wait before they take the job over. */
  leaseMs: number;
  renewMs: number;
};

/** Two consecutive renewals may fail. After the third failure the process stops the work, while it still has the lease. */
export const LEASE_TIMES: LeaseTimes = { leaseMs: 60_000, renewMs: 15_000 };

/** Takes the lease if the job is due and no process has it. Otherwise `waitMs` is the time until that may be the case. */
export async function takeLease(
  pool: pg.Pool,
  { name }: ScheduledJob,
  leaseMs: number,
): Promise<{ lease: Lease | undefined; failures: number; waitMs: number }> {
  const { rows } = await pool.query<TakenRow>(TAKE, [name, leaseMs]);
  const [row] = rows;
  if (!row) throw new Error(`background_jobs has no row ${name}`);
  const { id, failures, wait_ms } = row;
  return { lease: id === null ? undefined : { id, failures }, failures, waitMs: Math.max(0, wait_ms) };
}

type TakenRow = { id: string | null; failures: number; wait_ms: number };

/**
 * If the clock was set back, a job may be due in more than a period, or its lease may last too long, so it would not run until the
 * clock reaches that time again. Such a job is due now. Such a lease is shortened rather than ended, because its process may still
 * be running.
 */
const TAKE = `
with shortened as (
  update background_jobs set leased_until = clock_timestamp() + $2 * interval '1 millisecond'
  where name = $1 and leased_until > clock_timestamp() + $2 * interval '1 millisecond'
),
taken as (
  update background_jobs
  set lease_id = gen_random_uuid(), leased_until = clock_timestamp() + $2 * interval '1 millisecond'
  where name = $1 and not due_at between clock_timestamp() and clock_timestamp() + period
    and (leased_until is null or leased_until <= clock_timestamp())
  returning lease_id
)
select (select lease_id from taken) as id, failures,
  extract(epoch from greatest(due_at, leased_until) - clock_timestamp())::float8 * 1000 as wait_ms
from background_jobs where name = $1`;

/** Returns the lease, so that another process can run the job immediately. */
export async function releaseLease(pool: pg.Pool, lease: Lease): Promise<void> {
  await pool.query("update background_jobs set lease_id = null, leased_until = null where lease_id = $1", [
    lease.id,
  ]);
}

export type Renewal = {
  /** Aborts when another process may have the job. */
  lost: AbortSignal;
  end(): Promise<void>;
};

/** Renews the lease until `end`. */
export function keepRenewing(pool: pg.Pool, lease: Lease, { leaseMs, renewMs }: LeaseTimes): Renewal {
  const lost = new AbortController();
  const ended = new AbortController();
  const renewing = (async () => {
    let renewedAt = performance.now();
    while (!lost.signal.aborted) {
      await pause(renewMs, undefined, { signal: ended.signal });
      const askedAt = performance.now();
      // A failed renewal leaves the lease as it was.
      const isKept = await renew(pool, lease, leaseMs).catch(() => undefined);
      if (isKept === true) renewedAt = askedAt;
      else if (isKept === false || performance.now() + renewMs >= renewedAt + leaseMs)
        lost.abort(new Error("The job's lease was lost: another process may run it."));
    }
  })().catch(() => {});
  return {
    lost: lost.signal,
    end: () => {
      ended.abort();
      return renewing;
    },
  };
}

/** Renews the lease. False if another process has taken over the job. */
async function renew(pool: pg.Pool, lease: Lease, leaseMs: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    "update background_jobs set leased_until = clock_timestamp() + $2 * interval '1 millisecond' where lease_id = $1",
    [lease.id, leaseMs],
  );
  return rowCount === 1;
}
