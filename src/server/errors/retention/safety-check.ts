import type pg from "pg";

/** Retention runs daily. A longer pause means that the clock jumped, or that the machine was off. */
const MAX_PAUSE_HOURS = 25;
/**
 * How long the clock must be steady after a jump. Jumps are usually found by the run at startup, at any time of the day.
 * Half a day is enough time to set the clock right, and usually ends before the next daily run.
 */
const STEADY_HOURS = 12;
const CONTINUES = `Retention continues with the first daily run at least ${STEADY_HOURS} hours after the jump was found, if the clock is steady`;

type Facts = { pause: number | null; since_jump: number | null; groups: number; due: number };

/**
 * The reason why a retention run might delete data that is still needed, or undefined. If the machine's clock is wrong,
 * everything looks expired. So nothing is deleted for half a day after a clock jump, and never more than a fifth of all
 * groups in one run.
 */
export async function findRetentionRisk(pool: pg.Pool, retentionDays: number): Promise<string | undefined> {
  const { rows } = await pool.query<Facts>(FACTS, [retentionDays, MAX_PAUSE_HOURS]);
  const facts = rows[0];
  if (!facts) return undefined;
  const { pause, since_jump, groups, due } = facts;
  if (pause !== null && pause < 0)
    return `the clock is earlier than the last run. Set it right. ${CONTINUES}.`;
  if (pause !== null && pause > MAX_PAUSE_HOURS)
    return `the last run was ${Math.round(pause)} hours ago, so the clock may have jumped. ${CONTINUES}.`;
  if (since_jump !== null && since_jump < STEADY_HOURS)
    return `a clock jump was found ${Math.round(since_jump)} hours ago. ${CONTINUES}.`;
  if (due * 5 > groups)
    return `${due} of ${groups} error groups have expired, more than a fifth. If that is right, run the retention command with --anyway.`;
  return undefined;
}

/**
 * Runs are ordered by id, because their times are unreliable if the clock jumped. A run that was refused after a pause
 * that is negative or too long marks a jump, until a later run completes.
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
