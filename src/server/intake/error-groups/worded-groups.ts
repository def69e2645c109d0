import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/connect.ts";

/** Up to this number of groups, reading those is faster than walking through the list until it is full. */
const MOST_LISTED = 5_000;

/** The condition for groups `g` whose class or message contains the text. */
export function hasText(text: string): RawBuilder<unknown> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`(g.exception_class ilike ${pattern} or g.latest_message ilike ${pattern})`;
}

/**
 * The groups of several projects with the text, if they are few. Messages have no index, as every event would write it, so a text
 * that few groups have is searched in all of them: once, in the order in which they are stored, rather than twice in that of a list.
 */
export async function fewWithText(db: Db, projectIds: number[], text: string): Promise<number[] | undefined> {
  if (projectIds.length < 2) return undefined;
  const { rows } = await sql<{ id: number }>`
    select g.id from error_groups g
    where g.project_id = any(${projectIds}::bigint[]) and ${hasText(text)} limit ${MOST_LISTED + 1}`.execute(
    db,
  );
  return rows.length > MOST_LISTED ? undefined : rows.map(({ id }) => id);
}
