import type pg from "pg";
import { deleteOldReleases } from "./delete-old-releases.ts";
import { dropExpiredPartitions } from "./event-partitions.ts";
import { deleteInBatches } from "../../db/delete-in-batches.ts";
import { MAX_STORED } from "../groups/max-stored.ts";

export type Expired = { groups: number; users: number; hosts: number };

/** Batch sizes: range of group ids in a batch of hosts, rows in a batch of users, groups in a batch of groups. */
const HOST_BATCH_SPAN = 1_000;
const USER_BATCH = 2_000;
const GROUP_BATCH = 100;

/**
 * Deletes error groups, user hashes and hosts that were not seen within the retention window, and returns how many. Also
 * deletes old releases that no remaining group mentions. Batches never wait for ingestion, and delay it by at most the
 * duration of one batch.
 *
 * Groups are deleted last. Most of their hosts and users have expired by then, so the cascade of one batch stays small
 * enough for the statement timeout.
 */
export async function deleteExpired(
  pool: pg.Pool,
  retentionDays: number,
  signal: AbortSignal | undefined,
): Promise<Expired> {
  const deleteAll = (statement: string, limit: number) =>
    deleteInBatches(async () => {
      const { rows } = await pool.query<{ deleted: number }>(statement, [retentionDays, limit]);
      return { deleted: rows.reduce((sum, { deleted }) => sum + deleted, 0), isLast: rows.length === 0 };
    }, signal);
  await dropExpiredPartitions(pool, retentionDays);
  const users = await deleteAll(DELETE_USERS, USER_BATCH);
  const { rows } = await pool.query<{ last: number | null }>("select max(id) as last from error_groups");
  let hosts = 0;
  for (let from = 0; from <= (rows[0]?.last ?? 0); from += HOST_BATCH_SPAN) {
    signal?.throwIfAborted();
    hosts += (await pool.query(DELETE_HOSTS, [retentionDays, from, from + HOST_BATCH_SPAN])).rowCount ?? 0;
  }
  await pool.query(RECOUNT_HOSTS, [MAX_STORED.hosts * 0.9]);
  const groups = await deleteAll(DELETE_GROUPS, GROUP_BATCH);
  await deleteOldReleases(pool, retentionDays, signal);
  return { groups, users, hosts };
}

// Skips locked rows: if ingestion holds a row, the group or host has just been seen again. Deleting a group updates its
// reports. If one of those is locked, the group is left to the next run: waiting with the group's lock would block ingestion.
const DELETE_GROUPS = `
with expired as materialized (
  select id from error_groups where last_seen_at <= now() - make_interval(days => $1::int)
  order by id limit $2 for update skip locked
),
locked as materialized (
  select r.id from reports r join expired e on e.id = r.error_group_id for no key update of r skip locked
)
delete from error_groups g using expired e
where g.id = e.id and not exists (
  select from reports r where r.error_group_id = e.id and r.id not in (select id from locked))
returning 1 as deleted`;

// The group's lock covers its users and their count. An event committed between the start of this statement and the lock
// is not visible to the subqueries, but its user must stay: `deleted` checks the current version of the row again.
// `users_seen_since` remains a lower bound for the users that are not visible, too.
const DELETE_USERS = `
with due as materialized (
  select g.id from error_groups g join error_group_counts c on c.group_id = g.id
  where c.users_seen_since <= now() - make_interval(days => $1::int)
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
  select due.id, (select count(*) from deleted d where d.group_id = due.id) as deleted,
    (select min(u.last_seen_at) from error_group_users u where u.group_id = due.id and not exists (
      select from expired e where e.group_id = u.group_id and e.user_hash = u.user_hash)) as oldest_left
  from due
)
update error_group_counts c
set users = c.users - counted.deleted, users_seen_since = coalesce(counted.oldest_left, now() - interval '1 hour')
from counted where c.group_id = counted.id
returning counted.deleted`;

const DELETE_HOSTS = `
delete from error_group_hosts h using (
  select group_id, name from error_group_hosts
  where group_id > $2 and group_id <= $3 and last_seen_at <= now() - make_interval(days => $1::int)
  for update skip locked) expired
where h.group_id = expired.group_id and h.name = expired.name`;

// Deleting hosts does not update the stored number of hosts, which matters only near the limit. A locked row is left to the
// next run.
const RECOUNT_HOSTS = `
with near as materialized (
  select group_id from error_group_counts where hosts >= $1 order by group_id for update skip locked
)
update error_group_counts c
set hosts = (select count(*) from error_group_hosts h where h.group_id = c.group_id)
from near where c.group_id = near.group_id`;
