import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/connect.ts";
import { seenAfter } from "./groups-to-index.ts";
import { hashOfTag, TAGS_SINCE } from "./tag-index.ts";

/** Up to this number of groups, reading only them is faster than scanning the list until a page is full. */
const MAX_LISTED = 5_000;

/** A condition on groups `g`, and whether it lists their ids, so that no index is needed to find them in order. */
export type MayHaveTag = { condition: RawBuilder<unknown>; areListed: boolean };

/** The groups that may have a kept event with the tag: all that do, and a few that do not. */
export async function mayHaveTag(db: Db, projects: RawBuilder<unknown>, tag: string): Promise<MayHaveTag> {
  const hash = hashOfTag(sql`${tag}::text`);
  const { rows } = await sql<{ id: number }>`
    select id from (
      select t.group_id as id from (${projects}) p join error_group_tags t on t.project_id = p.id and t.tag_hash = ${hash}
      union all
      select recent.id from (${projects}) p
      cross join lateral (select g.id from error_groups g where g.project_id = p.id and ${seenAfter(TAGS_SINCE)}) recent
    ) found limit ${MAX_LISTED + 1}`.execute(db);
  if (rows.length <= MAX_LISTED) return areAmong(idsOf(rows));
  const read = await readUnindexed(db, projects, tag);
  if (read && read.length <= MAX_LISTED) return areAmong(idsOf(read));
  // Not `exists`, which PostgreSQL may turn into reading all rows of the tag at once.
  const condition = sql`and (g.last_seen_at > ${TAGS_SINCE} or (
    select true from error_group_tags t
    where t.project_id = g.project_id and t.tag_hash = ${hash} and t.group_id = g.id))`;
  return { condition, areListed: false };
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

export const areAmong = (ids: number[]): MayHaveTag => ({
  condition: sql`and g.id = any(${ids}::bigint[])`,
  areListed: true,
});

/** Finds the groups by reading all kept events. Undefined once the indexing job has run for the first time. */
async function readUnindexed(db: Db, projects: RawBuilder<unknown>, tag: string) {
  const progress = await db.selectFrom("error_group_tags_progress").select("is_only").executeTakeFirst();
  if (progress) return undefined;
  const isTagged = sql`tags @> ${anyTag(tag)}`;
  const { rows } = await sql<{ id: number }>`
    select g.id from error_groups g
    where g.project_id in (select p.id from (${projects}) p) and g.id in (
      select group_id from error_group_details where ${isTagged}
      union all select group_id from error_events where ${isTagged})
    limit ${MAX_LISTED + 1}`.execute(db);
  return rows;
}

/** Whether a kept event of the group `g` has the tag; the newest one is stored with the group's details. */
export function hasTag(tag: string, retentionDays: number): RawBuilder<unknown> {
  const isTagged = (alias: string) => sql`${sql.ref(`${alias}.group_id`)} = g.id
    and ${sql.ref(`${alias}.received_at`)} > now() - make_interval(days => ${retentionDays}::int)
    and ${sql.ref(`${alias}.tags`)} @> ${anyTag(tag)}`;
  return sql`(
    (select true from error_group_details d where ${isTagged("d")} and d.event is not null)
    or (select true from error_events e where ${isTagged("e")} limit 1))`;
}

/** A tag is split into key and value at each of its first colons, up to this many. */
const MAX_COLONS = 10;

/** Every tag that is written as `tag`, because keys and values may contain colons. */
function anyTag(tag: string): RawBuilder<unknown> {
  const colons = [...tag.matchAll(/:/g)].map(({ index }) => index).filter((index) => index > 0);
  const tags = colons.slice(0, MAX_COLONS).map((index) => ({ [tag.slice(0, index)]: tag.slice(index + 1) }));
  return sql`any(${tags.map((one) => JSON.stringify(one))}::jsonb[])`;
}
