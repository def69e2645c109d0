import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

/** Partitions are created for the current month and this many further ones. */
const MONTHS_AHEAD = 2;

/** Waiting for the lock on all kept events delays ingestion, so each attempt waits only briefly. */
const LOCK_MS = 200;
const ATTEMPTS = 20;
const PAUSE_MS = 250;

/** LOCK_TIMEOUT and DEADLOCK. */
const BLOCKED = new Set(["55P03", "40P01"]);

/** Creates missing monthly partitions of kept events, and moves their rows from the default partition. */
export async function createPartitions(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; from: string; to: string }>(MISSING, [MONTHS_AHEAD]);
  for (const { name, from, to } of rows)
    await withShortLocks(
      pool,
      `lock table error_groups in share row exclusive mode;
      lock table error_events in access exclusive mode;
      create table if not exists ${name} (like error_events);
      with moved as (
        delete from error_events_default where received_at >= '${from}' and received_at < '${to}' returning *
      ) insert into ${name} select * from moved;
      alter table error_events attach partition ${name} for values from ('${from}') to ('${to}')`,
    );
}

/** Drops partitions whose events are all older than the retention window, and such events of the default partition. */
export async function dropExpiredPartitions(pool: pg.Pool, retentionDays: number): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(EXPIRED, [retentionDays]);
  for (const { name } of rows) await withShortLocks(pool, `drop table ${name}`);
  await pool.query(
    "delete from error_events_default where received_at <= now() - make_interval(days => $1::int)",
    [retentionDays],
  );
}

async function withShortLocks(pool: pg.Pool, statements: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      // One query of several statements is one transaction.
      await pool.query(`set local lock_timeout = ${LOCK_MS}; ${statements}`);
      return;
    } catch (error) {
      if (!BLOCKED.has((error as { code?: string }).code ?? "") || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS);
    }
}

const PARTITIONS = `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'error_events'::regclass`;

/** The names contain the month, in UTC. */
const MISSING = `
with months as (
  select date_trunc('month', now() at time zone 'UTC') + make_interval(months => n) as month
  from generate_series(0, $1::int) n
)
select 'error_events_' || to_char(month, 'YYYY_MM') as name,
  to_char(month, 'YYYY-MM-DD"T00:00:00Z"') as "from",
  to_char(month + interval '1 month', 'YYYY-MM-DD"T00:00:00Z"') as "to"
from months where 'error_events_' || to_char(month, 'YYYY_MM') not in (${PARTITIONS})
order by month`;

const EXPIRED = `
select name from (${PARTITIONS}) p
where name ~ '^error_events_[0-9]{4}_[0-9]{2}$'
  and to_date(right(name, 7), 'YYYY_MM') + interval '1 month'
    <= (now() at time zone 'UTC') - make_interval(days => $1::int)
order by name`;
