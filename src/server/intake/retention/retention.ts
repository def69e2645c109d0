import type pg from "pg";
import { deleteInBatches } from "../../db/delete-in-batches.ts";
import { brake } from "./safety-check.ts";

export type Expired = { groups: number; users: number; hosts: number };

export type RetentionResult = Expired & { outcome: "done" | "refused"; message: string };

/** Group ids a batch of hosts spans, rows a batch of users deletes at most, and groups that go with all they have left. */
const SPAN = 1_000;
const ROWS = 2_000;
const GROUPS = 100;

/**
 * The daily job (service.md 2.10, 4.7 rule 7): deletes groups, user hashes and hosts that were not seen within the
 * window, in batches that never wait for ingestion and hold it up for one batch at most. Refuses when the clock or the
 * amount looks wrong, unless told to go on `anyway`.
 */
export async function runRetention(
  pool: pg.Pool,
  retentionDays: number,
  { anyway = false, signal }: { anyway?: boolean; signal?: AbortSignal } = {},
): Promise<RetentionResult> {
  const doubt = await brake(pool, retentionDays);
  const outcome = doubt === undefined || anyway ? "done" : "refused";
  const { rows } = await pool.query<{ id: number }>(
    "insert into retention_runs (started_at, outcome) values (clock_timestamp(), $1) returning id",
    [outcome === "done" ? "running" : "refused"],
  );
  if (outcome === "refused") return { outcome, message: `Retention refused: ${doubt}`, ...NOTHING };
  const expired = await expire(pool, retentionDays, signal);
  await pool.query(
    "update retention_runs set outcome = 'done', groups_deleted = $2, users_deleted = $3, hosts_deleted = $4 where id = $1",
    [rows[0]?.id, expired.groups, expired.users, expired.hosts],
  );
  const { groups, users, hosts } = expired;
  const message = `Retention deleted ${groups} error groups, ${users} user hashes and ${hosts} hosts.`;
  return { outcome, message, ...expired };
}

const NOTHING: Expired = { groups: 0, users: 0, hosts: 0 };

/** Groups last: what was seen with them has expired by then, so that no statement has more to delete than it has time for. */
async function expire(
  pool: pg.Pool,
  retentionDays: number,
  signal: AbortSignal | undefined,
): Promise<Expired> {
  const untilNone = (statement: string, limit: number) =>
    deleteInBatches(async () => {
      const { rows } = await pool.query<{ gone: number }>(statement, [retentionDays, limit]);
      return { deleted: rows.reduce((sum, { gone }) => sum + gone, 0), isLast: rows.length === 0 };
    }, signal);
  const users = await untilNone(DELETE_USERS, ROWS);
  const { rows } = await pool.query<{ last: number | null }>("select max(id) as last from error_groups");
  let hosts = 0;
  for (let from = 0; from <= (rows[0]?.last ?? 0); from += SPAN) {
    signal?.throwIfAborted();
    hosts += (await pool.query(DELETE_HOSTS, [retentionDays, from, from + SPAN])).rowCount ?? 0;
  }
  const groups = await untilNone(DELETE_GROUPS, GROUPS);
  return { groups, users, hosts };
}

// A row that ingestion holds at the moment has just been seen, so what is locked is skipped.
const DELETE_GROUPS = `
delete from error_groups where id in (
  select id from error_groups where last_seen_at <= now() - make_interval(days => $1::int)
  order by id limit $2 for update skip locked)
returning 1 as gone`;

// The group's lock covers its users and their count. An event that was committed between this statement's start and
// the lock is not visible here, but its user must stay: `deleted` asks the row as it is now. seen_since stays a lower
// bound for what is not visible, too.
const DELETE_USERS = `
with due as materialized (
  select g.id from error_groups g join error_group_user_counts c on c.group_id = g.id
  where c.seen_since <= now() - make_interval(days => $1::int)
  order by g.id limit 100 for update of g skip locked
),
expired as materialized (
  select u.group_id, u.user_hash from due join error_group_users u on u.group_id = due.id
  where u.last_seen_at <= now() - make_interval(days => $1::int) limit $2
),
deleted as (
  delete from error_group_users u using expired e
  where u.group_id = e.group_id and u.user_hash = e.user_hash
    and u.last_seen_at <= now() - make_interval(days => $1::int)
  returning u.group_id
),
counted as (
  select due.id, (select count(*) from deleted d where d.group_id = due.id) as gone,
    (select min(u.last_seen_at) from error_group_users u where u.group_id = due.id and not exists (
      select from expired e where e.group_id = u.group_id and e.user_hash = u.user_hash)) as oldest_left
  from due
)
update error_group_user_counts c
set count = c.count - counted.gone, seen_since = coalesce(counted.oldest_left, now() - interval '1 hour')
from counted where c.group_id = counted.id
returning counted.gone`;

const DELETE_HOSTS = `
delete from error_group_hosts h using (
  select group_id, name from error_group_hosts
  where group_id > $2 and group_id <= $3 and last_seen_at <= now() - make_interval(days => $1::int)
  for update skip locked) expired
where h.group_id = expired.group_id and h.name = expired.name`;
