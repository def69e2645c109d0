import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/connect.ts";
import { seenAfter } from "./groups-to-index.ts";
import { INDEXED_SINCE, tagHash } from "./tag-index.ts";

export type Tag = { key: string; value: string };

/** Up to this number of groups, reading those is faster than walking through the list until it is full. */
const MOST_LISTED = 5_000;

/** A condition for groups `g`, and whether it names them, so that no index is needed to find them in order. */
export type MayHaveTag = { condition: RawBuilder<unknown>; areNamed: boolean };

/** The groups that may have a kept event with the tag: all that have one, and few others. */
export async function mayHaveTag(db: Db, projects: RawBuilder<unknown>, tag: Tag): Promise<MayHaveTag> {
  const hash = tagHash(sql`${tag.key}::text`, sql`${tag.value}::text`);
  const { rows } = await sql<{ id: number }>`
    select id from (
      select t.group_id as id from (${projects}) p join error_group_tags t on t.project_id = p.id and t.tag_hash = ${hash}
      union all
      select recent.id from (${projects}) p
      cross join lateral (select g.id from error_groups g where g.project_id = p.id and ${seenAfter(INDEXED_SINCE)}) recent
    ) found limit ${MOST_LISTED + 1}`.execute(db);
  if (rows.length <= MOST_LISTED) return areAmong(rows);
  const read = await readUnindexed(db, projects, tag);
  if (read && read.length <= MOST_LISTED) return areAmong(read);
  // Not `exists`, which PostgreSQL may turn into reading all rows of the tag at once.
  const condition = sql`and (g.last_seen_at > ${INDEXED_SINCE} or (
    select true from error_group_tags t
    where t.project_id = g.project_id and t.tag_hash = ${hash} and t.group_id = g.id))`;
  return { condition, areNamed: false };
}

const areAmong = (rows: { id: number }[]): MayHaveTag => ({
  condition: sql`and g.id = any(${rows.map(({ id }) => id)}::bigint[])`,
  areNamed: true,
});

/** Until the job has run for the first time, reads all kept events once to find the groups. Undefined afterwards. */
async function readUnindexed(db: Db, projects: RawBuilder<unknown>, { key, value }: Tag) {
  const progress = await db.selectFrom("error_group_tags_progress").select("is_only").executeTakeFirst();
  if (progress) return undefined;
  const isTagged = sql`tags @> jsonb_build_object(${key}::text, ${value}::text)`;
  const { rows } = await sql<{ id: number }>`
    select g.id from error_groups g
    where g.project_id in (select p.id from (${projects}) p) and g.id in (
      select group_id from error_group_details where ${isTagged}
      union all select group_id from error_events where ${isTagged})
    limit ${MOST_LISTED + 1}`.execute(db);
  return rows;
}

/** Whether a kept event of the group `g` has the tag; the newest one is stored with the group's details. */
export function hasTag({ key, value }: Tag, retentionDays: number): RawBuilder<unknown> {
  const isTagged = (alias: string) => sql`${sql.ref(`${alias}.group_id`)} = g.id
    and ${sql.ref(`${alias}.received_at`)} > now() - make_interval(days => ${retentionDays}::int)
    and ${sql.ref(`${alias}.tags`)} @> jsonb_build_object(${key}::text, ${value}::text)`;
  return sql`(
    (select true from error_group_details d where ${isTagged("d")} and d.event is not null)
    or (select true from error_events e where ${isTagged("e")} limit 1))`;
}
