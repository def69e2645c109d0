import { sql, type RawBuilder } from "kysely";
import { LISTED_MESSAGE } from "../../shared/error-groups.ts";
import type { Db } from "../db/connect.ts";
import type { Candidate } from "./candidate.ts";
import type { Terms } from "./terms.ts";

/** Groups whose messages are read, and whose classes are compared when nothing else was found: those last seen. */
const LAST_SEEN = 500;
/** Below three characters the index of class names knows nothing. */
const TRIGRAM = 3;
/** How alike a misspelt class name has to be, from 0 to 1; shorter ones are like too many. */
const ALIKE = 0.55;
const ALIKE_LENGTH = 5;

/**
 * Groups by the name of their class, each word anywhere in it; and of those last seen also by their message. Messages
 * change with every event, so they have no index.
 */
export function groupCandidates(
  { words, patterns }: Terms,
  ids: number[],
  most: number,
): RawBuilder<unknown>[] {
  if (ids.length === 0 || words.length === 0) return [];
  const byMessage = sql`
    ${columns} from (${lastSeen(ids)}) g
    where g.exception_class || ' ' || g.latest_message ilike all(${patterns}::text[])
    order by g.last_seen_at desc limit ${most}`;
  if (!words.some((word) => word.length >= TRIGRAM)) return [byMessage];
  const byClass = sql`
    ${columns} from (
      select c.group_id from error_group_classes c
      where c.project_id = any(${ids}::bigint[]) and ${sql.join(
        patterns.map((pattern) => sql`c.exception_class ilike ${pattern}`),
        sql` and `,
      )}
      order by c.group_id desc limit ${most}
    ) c join error_groups g on g.id = c.group_id`;
  return [byClass, byMessage];
}

/** Of the groups last seen those whose class is spelt nearly so. */
export async function alikeGroups(db: Db, { text, words }: Terms, ids: number[]): Promise<Candidate[]> {
  if (ids.length === 0 || words.length !== 1 || text.length < ALIKE_LENGTH) return [];
  const { rows } = await sql<Candidate>`
    ${columns} from (${lastSeen(ids)}) g
    where word_similarity(${text}, g.exception_class) >= ${ALIKE}::real`.execute(db);
  return rows;
}

const columns = sql`
  select 'error_group' as kind, g.id, null as key, g.exception_class as title, g.last_seen_at as at`;

/** The number is shared out, so that many projects cost no more than one; from each its newest by the index. */
function lastSeen(ids: number[]): RawBuilder<unknown> {
  const each = Math.ceil(LAST_SEEN / ids.length);
  return sql`
    select seen.* from unnest(${ids}::bigint[]) as project (id)
    cross join lateral (
      select g.id, g.exception_class, left(g.latest_message, ${sql.lit(LISTED_MESSAGE)}) as latest_message, g.last_seen_at
      from error_groups g where g.project_id = project.id
      order by g.last_seen_span desc, g.last_seen_at desc limit ${each}
    ) seen`;
}
