import type pg from "pg";

/** How a background job is doing, for metrics and the doctor. Ages are in seconds, by the database's clock. */
export type JobState = {
  name: string;
  /** Failed runs since the last success. */
  failures: number;
  last_error: string | null;
  /** Of the last run that ended; null before the first one. */
  seconds: number | null;
  run_age: number | null;
  success_age: number | null;
  /** Without a success for two periods and ten minutes, since the job was added if it never succeeded. */
  is_late: boolean;
  /** A process is running the job now. */
  is_running: boolean;
};

export async function readJobStates(database: pg.Pool | pg.ClientBase): Promise<JobState[]> {
  const { rows } = await database.query<JobState>(READ);
  return rows;
}

const READ = `
select name, failures, last_error, seconds,
  extract(epoch from clock_timestamp() - finished_at)::float8 as run_age,
  extract(epoch from clock_timestamp() - succeeded_at)::float8 as success_age,
  coalesce(succeeded_at, created_at) < clock_timestamp() - 2 * period - interval '10 minutes' as is_late,
  coalesce(leased_until > clock_timestamp(), false) as is_running
from background_jobs order by name`;
