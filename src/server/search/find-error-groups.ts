import { sql, type RawBuilder } from "kysely";
import { LISTED_MESSAGE } from "../../shared/error-groups.ts";
import type { Db } from "../db/connect.ts";
import type { Candidate } from "./candidate.ts";
import { isIn } from "./readable-projects.ts";
import type { Terms } from "./terms.ts";

/** The number of most recently seen groups whose messages, and misspelled class names, are searched. */
const RECENT = 500;
/** The trigram index of class names cannot find shorter words. */
const TRIGRAM_LENGTH = 3;
/** The minimum similarity of a misspelled class name, from 0 to 1. */
const MIN_SIMILARITY = 0.55;
/** Shorter words are similar to too many class names. */
const MIN_SIMILAR_LENGTH = 5;

/**
 * Groups whose class name contains every word, and recent groups whose class name and message do. Messages change with
 * every event, so they have no index.
 */
export function errorGroupCandidates(
  { words, patterns }: Terms,
  ids: number[],
  limit: number,
  filter: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  if (ids.length === 0 || words.length === 0) return [];
  const byMessage = sql`
    ${columns} from (${recentGroups(ids)}) g
    where g.exception_class || ' ' || g.latest_message ilike all(${patterns}::text[]) ${filter}
    order by g.last_seen_at desc limit ${limit}`;
  if (!words.some((word) => word.length >= TRIGRAM_LENGTH)) return [byMessage];
  const byClass = sql`
    ${columns} from (
      select c.group_id from error_group_classes c
      where ${isIn(sql`c.project_id`, ids)} and ${sql.join(
        patterns.map((pattern) => sql`c.exception_class ilike ${pattern}`),
        sql` and `,
      )}
      order by c.group_id desc limit ${limit}
    ) c join error_groups g on g.id = c.group_id where true ${filter}`;
  return [byClass, byMessage];
}

/** Recent groups whose class name is similar to the search word. */
export async function similarErrorGroups(
  db: Db,
  { text, words }: Terms,
  ids: number[],
  filter: RawBuilder<unknown>,
): Promise<Candidate[]> {
  if (ids.length === 0 || words.length !== 1 || text.length < MIN_SIMILAR_LENGTH) return [];
  const { rows } = await sql<Candidate>`
    ${columns} from (${recentGroups(ids)}) g
    where word_similarity(${text}, g.exception_class) >= ${MIN_SIMILARITY}::real ${filter}`.execute(db);
  return rows;
}

const columns = sql`
  select 'error_group' as kind, g.id, null as key, g.exception_class as title, g.last_seen_at as at`;

/** Divides the number among the projects, so that many projects cost no more than one. Each is read from an index. */
function recentGroups(ids: number[]): RawBuilder<unknown> {
  const perProject = Math.ceil(RECENT / ids.length);
  return sql`
    select seen.* from unnest(${ids}::bigint[]) as project (id)
    cross join lateral (
      select g.id, g.exception_class, g.status, left(g.latest_message, ${sql.lit(LISTED_MESSAGE)}) as latest_message, g.last_seen_at
      from error_groups g where g.project_id = project.id
      order by g.last_seen_span desc, g.last_seen_at desc limit ${perProject}
    ) seen`;
}
