import type pg from "pg";

/** The job runs daily: a longer pause means that the clock, or the whole machine, jumped. */
const LONGEST_PAUSE_HOURS = 25;
const LARGEST_SHARE = 0.2;

type Facts = { hours: number | null; backwards: boolean; groups: number; due: number };

/**
 * Why a retention run should not happen now, or undefined. A machine whose clock is wrong would delete what people
 * still need: after a jump a day passes before anything goes, and a fifth of all groups never goes at once.
 */
export async function brake(pool: pg.Pool, retentionDays: number): Promise<string | undefined> {
  const { rows } = await pool.query<Facts>(
    `select
       extract(epoch from clock_timestamp() - last.started_at)::float8 / 3600 as hours,
       coalesce(last.started_at > clock_timestamp(), false) as backwards,
       (select count(*) from error_groups) as groups,
       (select count(*) from error_groups where last_seen_at <= now() - make_interval(days => $1::int)) as due
     from (select max(started_at) as started_at from retention_runs) last`,
    [retentionDays],
  );
  const facts = rows[0];
  if (!facts) return undefined;
  if (facts.backwards) return "the clock stands before the last run. Set the clock right.";
  if (facts.hours !== null && facts.hours > LONGEST_PAUSE_HOURS)
    return `the last run was ${Math.round(facts.hours)} hours ago, so the clock may have jumped. The next daily run goes on if it is steady.`;
  if (facts.due > facts.groups * LARGEST_SHARE)
    return `${facts.due} of ${facts.groups} error groups are due, more than a fifth. If that is right, run the retention command with --anyway.`;
  return undefined;
}
