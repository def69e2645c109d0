import { sql, type RawBuilder } from "kysely";
import { MAX_LISTED_MESSAGE_LENGTH } from "../../shared/error-groups.ts";
import { firstOfProjects, MANY_PROJECTS } from "../access/first-of-projects.ts";
import type { Db } from "../db/connect.ts";
import type { Candidate } from "./candidate.ts";
import { isIn } from "./readable-projects.ts";
import type { Terms } from "./terms.ts";

/** The number of most recently seen groups whose messages, and misspelled class names, are searched. */
const MAX_RECENT = 500;
/** The number of newest classes that are searched first. */
const MAX_NEWEST = 1_000;
/** The trigram index of class names cannot find shorter words. */
const MIN_TRIGRAM_LENGTH = 3;
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
  if (!words.some((word) => word.length >= MIN_TRIGRAM_LENGTH)) return [byMessage];
  const hasWords = sql.join(
    patterns.map((pattern) => sql`c.exception_class ilike ${pattern}`),
    sql` and `,
  );
  const byClass = sql`
    ${columns} from (${withClass(ids, hasWords, limit)}) c join error_groups g on g.id = c.group_id where true ${filter}`;
  return [byClass, byMessage];
}

/**
 * The newest groups of the projects whose class names `c` contain the words. For a few projects, it searches their
 * newest classes first, and the others only if these contain too few matches: the trigram index spans all projects, so
 * common words would read many classes of other projects.
 */
function withClass(ids: number[], hasWords: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const newestOf = (more: RawBuilder<unknown>) => sql`
    select c.group_id from error_group_classes c where ${isIn(sql`c.project_id`, ids)} and ${hasWords} ${more}
    order by c.group_id desc limit ${limit}`;
  if (ids.length >= MANY_PROJECTS) return newestOf(sql``);
  const newest = firstOfProjects({
    projectIds: ids,
    rowsWhere: (condition) => sql`
      select c.group_id as id, c.project_id, c.exception_class, c.group_id as sort_value from error_group_classes c
      where ${condition} order by c.group_id desc`,
    project: sql`c.project_id`,
    notAfter: (value) => sql`c.group_id >= coalesce(${value}, 0)`,
    direction: sql`desc`,
    limit: MAX_NEWEST,
  });
  return sql`
    with newest as materialized (${newest}),
    hit as materialized (select c.id as group_id from newest c where ${hasWords} order by c.id desc limit ${limit})
    select * from hit where (select count(*) from hit) = ${limit}
    union all
    (${newestOf(sql`and (select count(*) from hit) < ${limit}`)})`;
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

/**
 * Divides the number among the projects, so that many projects are not more expensive than one. Each is read by index; in many
 * projects only to ten minutes, because sorting the groups of each project takes longer than reading them.
 */
function recentGroups(ids: number[]): RawBuilder<unknown> {
  const perProject = Math.ceil(MAX_RECENT / ids.length);
  const exactly = ids.length < MANY_PROJECTS ? sql`, g.last_seen_at desc` : sql``;
  return sql`
    select seen.* from unnest(${ids}::bigint[]) as project (id)
    cross join lateral (
      select g.id, g.exception_class, g.status, left(g.latest_message, ${sql.lit(MAX_LISTED_MESSAGE_LENGTH)}) as latest_message, g.last_seen_at
      from error_groups g where g.project_id = project.id
      order by g.last_seen_span desc ${exactly} limit ${perProject}
    ) seen`;
}
