import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/connect.ts";
import { isIn } from "../../search/readable-projects.ts";
import { indexNewLocations, LOCATIONS_SINCE } from "./location-index.ts";
import { MESSAGES_SINCE } from "./message-index.ts";
import { seenAfter } from "./groups-to-index.ts";

/** Up to this number of groups, reading only them is faster than scanning the list until a page is full. */
const MAX_LISTED = 5_000;

const patternOf = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** The condition on groups `g` whose class, message, label, or top frames contain the text. */
export function hasText(text: string): RawBuilder<unknown> {
  const pattern = patternOf(text);
  return sql`(${columnsHaveText(pattern)}
    or (select l.frames ilike ${pattern} from error_group_locations l where l.group_id = g.id))`;
}

const columnsHaveText = (pattern: string) => sql`(
  g.exception_class ilike ${pattern} or g.latest_message ilike ${pattern} or g.context_label ilike ${pattern})`;

/** The groups that contain the text, or did when they were last indexed. Undefined if they are too many. */
export async function groupsWithText(
  db: Db,
  projectIds: number[],
  text: string,
): Promise<number[] | undefined> {
  await indexNewLocations(db, projectIds);
  const progress = await db
    .selectFrom(["error_group_messages_progress as m", "error_group_locations_progress as l"])
    .select("m.is_only")
    .executeTakeFirst();
  const groups = progress ? indexed(projectIds, text) : unindexed(projectIds, text);
  if (!groups) return undefined;
  const { rows } = await sql<{ id: number }>`
    select id from (${groups}) found limit ${MAX_LISTED + 1}`.execute(db);
  return rows.length > MAX_LISTED ? undefined : rows.map(({ id }) => id);
}

function indexed(projectIds: number[], text: string): RawBuilder<unknown> {
  const pattern = patternOf(text);
  return sql`
    select m.group_id as id from error_group_messages m
    where ${isIn(sql`m.project_id`, projectIds)} and m.message ilike ${pattern}
    union all
    select c.group_id from error_group_classes c
    where ${isIn(sql`c.project_id`, projectIds)} and c.exception_class ilike ${pattern}
    union all
    select l.group_id from error_group_locations l
    where ${isIn(sql`l.project_id`, projectIds)} and (l.label ilike ${pattern} or l.frames ilike ${pattern})
    union all
    select g.id from error_group_messages m join error_groups g on g.id = m.group_id
    where m.is_cut and m.project_id = any(${projectIds}::bigint[]) and ${columnsHaveText(pattern)}
    union all
    -- Without \`offset 0\`, PostgreSQL reads all groups rather than the recent ones of each project.
    select g.id from unnest(${projectIds}::bigint[]) p (id) cross join lateral (
      select g.id, g.exception_class, g.latest_message, g.context_label from error_groups g
      where g.project_id = p.id and ${seenAfter(sql`least(${MESSAGES_SINCE}, ${LOCATIONS_SINCE})`)} offset 0
    ) g where ${columnsHaveText(pattern)}`;
}

/**
 * Used until the indexing job has run for the first time: one scan over the groups of several projects, which is faster than
 * the list's own scans if few groups contain the text.
 */
function unindexed(projectIds: number[], text: string): RawBuilder<unknown> | undefined {
  if (projectIds.length < 2) return undefined;
  return sql`select g.id from error_groups g where g.project_id = any(${projectIds}::bigint[]) and ${hasText(text)}`;
}
