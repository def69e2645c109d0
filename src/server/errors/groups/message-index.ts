import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { indexedSince, indexSeenGroups } from "./groups-to-index.ts";

/** Characters of a message that are indexed. Few messages are longer, and writing their trigrams would take long. */
const MAX_INDEXED_LENGTH = 2_000;

/** New groups that one search indexes. */
const MAX_NEW_GROUPS = 500;

const PROGRESS = "error_group_messages_progress";

/** Groups seen after this time may have a newer message than the indexed one. */
export const MESSAGES_SINCE = indexedSince(PROGRESS);

/** Brings `error_group_messages` up to date with the events that were stored since the last run. */
export const indexMessages = (db: Db, signal?: AbortSignal): Promise<void> =>
  indexSeenGroups(db, PROGRESS, signal, (ids) => indexMessagesOf(db, ids));

/** Indexes the groups of a project that are too new for the job to have seen them. */
export async function indexNewMessages(db: Db, projectId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select g.id from (
      select g.id from error_groups g where g.project_id = ${projectId} and g.first_seen_at > ${MESSAGES_SINCE}
      order by g.first_seen_at desc limit ${MAX_NEW_GROUPS}
    ) g where not exists (select from error_group_messages m where m.group_id = g.id)`.execute(db);
  if (rows.length > 0)
    await indexMessagesOf(
      db,
      rows.map(({ id }) => id),
    );
}

/**
 * Indexes the message of a group that this transaction has locked. Unlike the job, it waits if the job is writing the
 * group's previous message.
 */
export async function indexMessageOf(tx: Tx, groupId: number): Promise<void> {
  await sql`select from error_group_messages where group_id = ${groupId} for update`.execute(tx);
  await indexMessagesOf(tx, [groupId]);
}

/**
 * Indexes the messages of the groups. Returns how many were skipped because they are being merged or deleted. Never waits
 * for a group, and never makes ingestion wait.
 */
export async function indexMessagesOf(db: Db, groupIds: number[]): Promise<number> {
  const { rows } = await sql<{ skipped: number }>`
    with changed as materialized (
      select g.id, g.project_id, found.message, found.is_cut, m.group_id is null as is_new
      from error_groups g left join error_group_messages m on m.group_id = g.id
      cross join lateral (
        select left(g.latest_message, ${MAX_INDEXED_LENGTH}) as message, length(g.latest_message) > ${MAX_INDEXED_LENGTH} as is_cut) found
      where g.id = any(${groupIds}::bigint[])
        and (m.message, m.is_cut) is distinct from (found.message, found.is_cut)
    ),
    known as materialized (
      select group_id as id from error_group_messages
      where group_id = any(array(select id from changed where not is_new)) order by group_id for update skip locked
    ),
    updated as (
      update error_group_messages m set message = c.message, is_cut = c.is_cut
      from known join changed c using (id) where m.group_id = c.id
    ),
    locked as materialized (
      select id from error_groups
      where id = any(array(select id from changed where is_new)) order by key for key share skip locked
    ),
    added as (
      insert into error_group_messages (group_id, project_id, message, is_cut)
      select c.id, c.project_id, c.message, c.is_cut from changed c join locked using (id) on conflict do nothing
    )
    select (select count(*) from changed) - (select count(*) from known) - (select count(*) from locked) as skipped`.execute(
    db,
  );
  return rows[0]?.skipped ?? 0;
}
