import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/connect.ts";
import { indexedSince, indexSeenGroups } from "./groups-to-index.ts";

/**
 * Minutes between two prunings of a group. Until then, tags of dropped events stay in the index, and lists by tag check
 * groups in vain.
 */
const PRUNE_EVERY = 30;

const PROGRESS = "error_group_tags_progress";

/** Events after this time may not be in the index yet. */
export const TAGS_SINCE = indexedSince(PROGRESS);

/** The hash that `error_group_tags` has for a tag, written as `key:value`. */
export const hashOfTag = (tag: RawBuilder<string>) => sql<number>`hashtextextended(${tag}, 0)`;

/**
 * Indexes the tags of events that were stored since the last run. While a group has events, also removes, twice an hour,
 * the tags that none of its kept events has any longer.
 */
export async function indexTags(db: Db, signal?: AbortSignal): Promise<void> {
  await indexSeenGroups(db, PROGRESS, signal, async (ids, { since, minute }) => {
    const skipped = await indexTagsOf(db, ids, sql<string>`${since}::timestamptz`);
    const due = ids.filter((id) => (id + minute) % PRUNE_EVERY === 0);
    if (since !== "-infinity") await pruneTags(db, due);
    return skipped;
  });
}

/**
 * Indexes the tags of the groups' kept events, or of those after `since`. Returns how many groups with new tags were skipped
 * because they are being merged or deleted. Never waits for a group, and never makes ingestion wait.
 */
export async function indexTagsOf(
  db: Db,
  groupIds: number[],
  since: RawBuilder<string> = sql`'-infinity'::timestamptz`,
): Promise<number> {
  const ids = sql`any(${groupIds}::bigint[])`;
  const { rows } = await sql<{ skipped: number }>`
    with missing as materialized (
      select distinct g.project_id, tag.hash, g.id
      from (
        select group_id, tags from error_group_details where group_id = ${ids} and event is not null and received_at > ${since}
        union all
        select group_id, tags from error_events where group_id = ${ids} and received_at > ${since}
      ) kept
      join error_groups g on g.id = kept.group_id and g.id = ${ids}
      cross join lateral (select ${HASH} as hash from jsonb_each_text(kept.tags) t) tag
      -- Not \`not exists\`, which PostgreSQL may turn into reading the whole table.
      where (
        select true from error_group_tags known
        where known.project_id = g.project_id and known.tag_hash = tag.hash and known.group_id = g.id) is null
    ),
    locked as materialized (
      select id from error_groups where id = any(array(select distinct id from missing)) order by key for key share skip locked
    ),
    added as (
      insert into error_group_tags (project_id, tag_hash, group_id)
      select m.project_id, m.hash, m.id from missing m join locked using (id) order by 1, 2, 3 on conflict do nothing
    )
    select (select count(distinct id) from missing) - (select count(*) from locked) as skipped`.execute(db);
  return rows[0]?.skipped ?? 0;
}

const HASH = hashOfTag(sql`t.key || ':' || t.value`);

/** Removes the tags that no kept event of the groups has. */
export async function pruneTags(db: Db, groupIds: number[]): Promise<void> {
  if (groupIds.length === 0) return;
  await db.transaction().execute(async (tx) => {
    // A separate statement, so that the next one sees the events of a merge that has just ended. The locks prevent new merges.
    const { rows } = await sql<{ id: number }>`
      select id from error_groups where id = any(${groupIds}::bigint[]) order by key for key share skip locked`.execute(
      tx,
    );
    const ids = sql`any(${rows.map(({ id }) => id)}::bigint[])`;
    await sql`
      delete from error_group_tags where group_id = ${ids} and (group_id, tag_hash) not in (
        select e.group_id, ${HASH} from (
          select group_id, tags from kept_events where group_id = ${ids}
        ) e cross join lateral jsonb_each_text(e.tags) t)`.execute(tx);
  });
}
