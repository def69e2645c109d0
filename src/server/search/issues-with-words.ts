import { sql, type RawBuilder } from "kysely";
import { firstOfProjects, MANY_PROJECTS } from "../access/first-of-projects.ts";
import { rowsWith } from "./rare-words.ts";
import { isIn } from "./readable-projects.ts";
import type { Terms } from "./terms.ts";

/** In a few projects, up to this many of the newest issues are read before the index. */
const MAX_NEWEST_OF_FEW = 2_000;
/** The same in many projects, where the newest issues of the installation are read, which takes a fraction of the time. */
const MAX_NEWEST_OF_MANY = 100_000;
/** A search for several common words in many projects reads up to this many by index. */
const FROM_INDEX = 5_000;

/**
 * What the statistics say about the words of a query: the rarest one, if reading all issues that have it is fast, and how many issues
 * are likely to contain enough that have all words.
 */
type IssueWords = { rare: string | undefined; likely: number };

export const columns = sql`i.id, i.project_id, i.number, i.title, i.created_at`;

export type IssueSearch = { ids: number[]; limit: number; filter: RawBuilder<unknown>; words: IssueWords };

/**
 * The newest issues with all words in the title and description. Common words are first searched in the newest issues, because an
 * index returns all issues that have them, which then have to be sorted. For several common words in many projects, the index is
 * read up to a limit only.
 */
export function newestWithWords(
  terms: Terms,
  { ids, limit, filter, words }: IssueSearch,
): RawBuilder<unknown> {
  const matches = sql`i.words @@ to_tsquery('simple', ${terms.tsquery})`;
  const first = (issues: RawBuilder<unknown>, condition = matches) => sql`
    select ${columns} from ${issues} i where ${condition} ${filter} order by i.id desc limit ${limit}`;
  const areMany = ids.length >= MANY_PROJECTS;
  const indexed = byIndex(terms, ids, words.rare);
  if (words.likely > (areMany ? MAX_NEWEST_OF_MANY : MAX_NEWEST_OF_FEW)) return first(indexed);
  const newest = areMany ? newestOfAll(ids, words.likely) : newestOf(ids, words.likely);
  return sql`
    with hit as materialized (${first(newest, sql`case when ${matches} then true else false end`)})
    select * from hit
    union all
    (${first(indexed, sql`${matches} and (select count(*) from hit) < ${limit}`)})`;
}

/** Issues with all words or, if it is rare, with one of them. */
function byIndex({ tsquery, lexemes }: Terms, ids: number[], rare: string | undefined): RawBuilder<unknown> {
  if (rare !== undefined || ids.length < MANY_PROJECTS) return rowsWith("issues", rare ?? tsquery, ids);
  // PostgreSQL knows how common a single word is, so it can choose between scanning the issues and the index.
  if (lexemes.length === 1) return sql`(select * from issues where ${isIn(sql`project_id`, ids)})`;
  // It cannot estimate how often several words occur together, so the number of rows is limited.
  return sql`(
    select issues.* from issues_with_words(${ids}::bigint[], to_tsquery('simple', ${tsquery}), ${FROM_INDEX}) as found (id)
    join issues on issues.id = found.id)`;
}

/** Of the newest issues of the installation, those of the projects. */
const newestOfAll = (ids: number[], count: number) => sql`(
  select * from issues where id > (select max(id) from issues) - ${count}::bigint and ${isIn(sql`project_id`, ids)})`;

/** The newest issues of the projects. */
const newestOf = (ids: number[], count: number) =>
  sql`(${firstOfProjects({
    projectIds: ids,
    rowsWhere: (condition) => sql`
    select ${columns}, i.words, i.closed_at, i.created_by, i.id as sort_value from issues i
    where ${condition} order by i.id desc`,
    project: sql`i.project_id`,
    notAfter: (value) => sql`i.id >= coalesce(${value}, 0)`,
    direction: sql`desc`,
    limit: count,
  })})`;
