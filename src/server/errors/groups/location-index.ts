import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { topFrames } from "../../../shared/stack-trace/top-frames.ts";
import { indexedSince, indexSeenGroups } from "./groups-to-index.ts";

/** Characters of a long trace that are parsed at each of its ends, because the frame that threw may be first or last. */
const END = 4_000;

/** Characters of a label, and of the frames, that are indexed. */
const MAX_INDEXED_LENGTH = 1_000;

/** New groups that one search indexes. */
const MAX_NEW_GROUPS = 500;

const PROGRESS = "error_group_locations_progress";

/** Groups seen after this time may have a newer label than the indexed one. */
export const LOCATIONS_SINCE = indexedSince(PROGRESS);

/** Brings `error_group_locations` up to date with the events that were stored since the last run. */
export const indexLocations = (db: Db, signal?: AbortSignal): Promise<void> =>
  indexSeenGroups(db, PROGRESS, signal, (ids) => indexLocationsOf(db, ids));

/**
 * Indexes the groups that are too new for the job to have seen them, so that a search finds them by function and file.
 * Does nothing until the job has run for the first time.
 */
export async function indexNewLocations(db: Db, projectIds: number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select g.id from ${sql.table(PROGRESS)} progress, unnest(${projectIds}::bigint[]) p (id) cross join lateral (
      select g.id from error_groups g where g.project_id = p.id and g.first_seen_at > ${LOCATIONS_SINCE}
      order by g.first_seen_at desc limit ${MAX_NEW_GROUPS}
    ) g where not exists (select from error_group_locations l where l.group_id = g.id) limit ${MAX_NEW_GROUPS}`.execute(
    db,
  );
  if (rows.length > 0)
    await indexLocationsOf(
      db,
      rows.map(({ id }) => id),
    );
}

/** Indexes a group that this transaction has locked. Unlike the job, it waits if the job is writing the group's row. */
export async function indexLocationOf(tx: Tx, groupId: number): Promise<void> {
  await sql`select from error_group_locations where group_id = ${groupId} for update`.execute(tx);
  await indexLocationsOf(tx, [groupId]);
}

type Changed = { id: number; project_id: number; label: string; trace: string | null; trace_hash: string };

/**
 * Indexes the labels and top frames of the groups. Returns how many were skipped because they are being merged or deleted.
 * Never waits for a group, and never makes ingestion wait.
 */
export async function indexLocationsOf(db: Db, groupIds: number[]): Promise<number> {
  const changed = await readChanged(db, groupIds);
  if (changed.length === 0) return 0;
  const rows = changed.map(({ trace, ...row }) => ({
    ...row,
    frames: trace === null ? null : framesOf(trace),
  }));
  const { rows: counts } = await sql<{ skipped: number }>`
    with changed as materialized (
      select c.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as c (id bigint, project_id bigint, label text, frames text, trace_hash bigint)
    ),
    known as materialized (
      select group_id as id from error_group_locations
      where group_id = any(array(select id from changed)) order by group_id for update skip locked
    ),
    updated as (
      update error_group_locations l set label = c.label, frames = coalesce(c.frames, l.frames), trace_hash = c.trace_hash
      from known join changed c using (id) where l.group_id = c.id
    ),
    locked as materialized (
      select id from error_groups where id = any(array(
        select id from changed where frames is not null and id not in (select group_id from error_group_locations))
      ) order by key for key share skip locked
    ),
    added as (
      insert into error_group_locations (group_id, project_id, label, frames, trace_hash)
      select c.id, c.project_id, c.label, c.frames, c.trace_hash from changed c join locked using (id) on conflict do nothing
    )
    select (select count(*) from changed) - (select count(*) from known) - (select count(*) from locked) as skipped`.execute(
    db,
  );
  return counts[0]?.skipped ?? 0;
}

/** The groups whose label or trace differs from the indexed one; `trace` is null if only the label does. */
async function readChanged(db: Db, groupIds: number[]): Promise<Changed[]> {
  const { rows } = await sql<Changed>`
    select g.id, g.project_id, found.label, found.trace_hash::text as trace_hash,
      case when l.trace_hash is distinct from found.trace_hash then d.trace end as trace
    from error_groups g
    join lateral (
      -- The length in bytes is known without reading a long trace.
      select case when octet_length(stack_trace) <= ${2 * END} then stack_trace
        else left(stack_trace, ${END}) || E'\\n' || right(stack_trace, ${END}) end as trace
      from error_group_details where group_id = g.id
    ) d on true
    cross join lateral (
      select left(coalesce(g.context_label, ''), ${MAX_INDEXED_LENGTH}) as label, hashtextextended(d.trace, 0) as trace_hash
    ) found
    left join error_group_locations l on l.group_id = g.id
    where g.id = any(${groupIds}::bigint[]) and (l.label, l.trace_hash) is distinct from (found.label, found.trace_hash)`.execute(
    db,
  );
  return rows;
}

const framesOf = (trace: string): string =>
  topFrames(trace)
    .map((frame) => [frame.function, frame.file].filter((part) => part !== null).join(" "))
    .join("\n")
    .slice(0, MAX_INDEXED_LENGTH)
    // PostgreSQL rejects half of a surrogate pair.
    .toWellFormed();
