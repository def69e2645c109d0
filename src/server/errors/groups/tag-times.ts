import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { indexedSince, indexSeenGroups } from "./groups-to-index.ts";

const PROGRESS = "error_group_tag_times_progress";

/** Groups seen after this time may have been seen after the `seen_before` of their tags. */
export const TAG_TIMES_SINCE = indexedSince(PROGRESS);

/** As in the column's default. A group's rows are written once in this time at most. */
export const TAG_PERIOD = sql`interval '6 hours'`;

/** Rows that one statement writes. */
const BATCH = 5_000;

/** Raises `seen_before` of the tags of the groups that were seen since the last run. */
export const indexTagTimes = (db: Db, signal?: AbortSignal): Promise<void> =>
  indexSeenGroups(db, PROGRESS, signal, async (ids) => {
    for (;;) {
      const { due, raised } = await raiseTagTimes(db, ids);
      if (raised === 0) return due;
    }
  });

/**
 * Raises the times of the groups' tags. `due`: how many of the groups had to be raised; those that are being merged or deleted
 * are skipped. Never waits for a group or for a row of a tag, and never makes ingestion wait.
 */
async function raiseTagTimes(db: Db, groupIds: number[]): Promise<{ due: number; raised: number }> {
  const { rows } = await sql<{ due: number; raised: number }>`
    with due as materialized (
      select g.id, date_bin(${TAG_PERIOD}, g.last_seen_at, 'epoch') + ${TAG_PERIOD} as seen_before
      from error_groups g where g.id = any(${groupIds}::bigint[]) and exists (
        select from error_group_tags t where t.group_id = g.id and t.seen_before <= g.last_seen_at)
    ),
    locked as materialized (
      select id from error_groups where id = any(array(select id from due)) order by key for key share skip locked
    ),
    earlier as materialized (
      select t.project_id, t.tag_hash, t.group_id, d.seen_before
      from locked join due d using (id) join error_group_tags t on t.group_id = d.id and t.seen_before < d.seen_before
      limit ${BATCH} for no key update of t skip locked
    ),
    raised as (
      update error_group_tags t set seen_before = e.seen_before from earlier e
      -- A merge may have raised it since this statement began.
      where t.project_id = e.project_id and t.tag_hash = e.tag_hash and t.group_id = e.group_id and t.seen_before < e.seen_before
      returning 1
    )
    select (select count(*) from due) as due, (select count(*) from raised) as raised`.execute(db);
  return rows[0] ?? { due: 0, raised: 0 };
}
