import type pg from "pg";

/** The job runs daily: a longer pause means that the clock, or the whole machine, jumped. */
const LONGEST_PAUSE_HOURS = 25;
/**
 * So long must a clock that jumped be steady. Mostly it is the run of a start that finds the jump, at any time of the
 * day; half a day leaves time to set the clock right, and most often ends before the next daily run.
 */
const STEADY_HOURS = 12;
const GOES_ON = `The first daily run at least ${STEADY_HOURS} hours after the jump was found goes on if the clock is steady`;

type Facts = { pause: number | null; since_jump: number | null; groups: number; due: number };

/**
 * Why a retention run should not happen now, or undefined. A machine whose clock is wrong would delete what people
 * still need: after a jump half a day passes before anything goes, and a fifth of all groups never goes at once.
 */
export async function brake(pool: pg.Pool, retentionDays: number): Promise<string | undefined> {
  const { rows } = await pool.query<Facts>(FACTS, [retentionDays, LONGEST_PAUSE_HOURS]);
  const facts = rows[0];
  if (!facts) return undefined;
  const { pause, since_jump, groups, due } = facts;
  if (pause !== null && pause < 0) return `the clock stands before the last run. Set it right. ${GOES_ON}.`;
  if (pause !== null && pause > LONGEST_PAUSE_HOURS)
    return `the last run was ${Math.round(pause)} hours ago, so the clock may have jumped. ${GOES_ON}.`;
  if (since_jump !== null && since_jump < STEADY_HOURS)
    return `a jump of the clock was found ${Math.round(since_jump)} hours ago. ${GOES_ON}.`;
  if (due * 5 > groups)
    return `${due} of ${groups} error groups are due, more than a fifth. If that is right, run the retention command with --anyway.`;
  return undefined;
}

/**
 * Runs are told apart by their order, since their times are what is in doubt. A run that was refused for a pause no
 * daily job makes marks a jump, until one is done after it.
 */
const FACTS = `
with runs as (
  select id, outcome, started_at, started_at - lag(started_at) over (order by id) as pause
  from retention_runs
)
select
  (select extract(epoch from clock_timestamp() - started_at)::float8 / 3600
    from runs order by id desc limit 1) as pause,
  (select extract(epoch from clock_timestamp() - started_at)::float8 / 3600 from runs
    where outcome = 'refused' and not pause between interval '0' and make_interval(hours => $2)
      and id > coalesce((select max(id) from runs where outcome <> 'refused'), 0)
    order by id desc limit 1) as since_jump,
  (select count(*) from error_groups) as groups,
  (select count(*) from error_groups where last_seen_at <= now() - make_interval(days => $1::int)) as due`;
