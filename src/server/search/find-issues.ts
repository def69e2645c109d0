import { sql, type RawBuilder } from "kysely";
import { firstOfProjects, MANY_PROJECTS } from "../access/first-of-projects.ts";
import { rowsWithWord } from "./rare-words.ts";
import { isIn } from "./readable-projects.ts";
import type { Terms } from "./terms.ts";

/** Issues to find by a key prefix, for each possible length of their number. */
const MAX_PER_LENGTH = 20;
/** A search first reads this many of the newest issues. If too few match, a search for several words reads as many by index. */
const NEWEST = 1_000;
const FROM_INDEX = 1_000;
/**
 * Reading up to this number of issues, if they are at most a tenth of all, is faster than reading the entries of common
 * words in the index.
 */
const MOST_READ = 20_000;

/** Issues by key or key prefix, by number, and by words in the title and description. */
export function issueCandidates(
  terms: Terms,
  ids: number[],
  limit: number,
  filter: RawBuilder<unknown>,
  rare: string | undefined,
): RawBuilder<unknown>[] {
  if (ids.length === 0) return [];
  const { key, number, tsquery } = terms;
  return [
    ...(key === undefined ? [] : [byKey(key, ids, filter)]),
    ...(number === undefined ? [] : [byNumber(number, ids, limit, filter)]),
    ...(tsquery === "" ? [] : [byText(terms, ids, limit, filter, rare)]),
  ];
}

function byText(
  { tsquery, lexemes }: Terms,
  ids: number[],
  limit: number,
  filter: RawBuilder<unknown>,
  rare: string | undefined,
): RawBuilder<unknown> {
  if (rare !== undefined) return byRareWord(rare, tsquery, ids, limit, filter);
  return lexemes.length > 1 ? byWords(tsquery, ids, limit, filter) : byWord(tsquery, ids, limit, filter);
}

const columns = sql`i.id, i.project_id, i.number, i.title, i.created_at`;

const withKey = (issues: RawBuilder<unknown>) => sql`
  select 'issue' as kind, i.id, p.key || '-' || i.number as key, i.title, i.created_at as at
  from (${issues}) i join projects p on p.id = i.project_id`;

function byKey(
  { project, number }: { project: string; number: number },
  ids: number[],
  filter: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return withKey(sql`
    select i.* from projects p
    cross join unnest(${rangeStarts(number)}::int[], ${rangeEnds(number)}::int[]) as range (first, last)
    cross join lateral (
      select ${columns} from issues i
      where i.project_id = p.id and i.number between range.first and range.last ${filter}
      order by i.number limit ${MAX_PER_LENGTH}
    ) i
    where p.key = ${project} and p.id = any(${ids}::bigint[])`);
}

/** The numbers that start with the same digits: 12 → 12, 120–129, 1200–1299 … */
const rangeStarts = (number: number) => powersFor(number).map((power) => number * power);
const rangeEnds = (number: number) => powersFor(number).map((power) => (number + 1) * power - 1);
const powersFor = (number: number) =>
  [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].filter((power) => (number + 1) * power < 2 ** 31);

const byNumber = (number: number, ids: number[], limit: number, filter: RawBuilder<unknown>) =>
  withKey(sql`
    select ${columns} from issues i
    where i.project_id = any(${ids}::bigint[]) and i.number = ${number} ${filter}
    order by i.id desc limit ${limit}`);

const byRareWord = (
  rare: string,
  tsquery: string,
  ids: number[],
  limit: number,
  filter: RawBuilder<unknown>,
) =>
  withKey(sql`
    select ${columns} from ${rowsWithWord("issues", rare, ids)} i where i.words @@ to_tsquery('simple', ${tsquery}) ${filter}
    order by i.id desc limit ${limit}`);

/** PostgreSQL knows how common a single word is, so it can choose between scanning the projects' issues and the index. */
const byWord = (tsquery: string, ids: number[], limit: number, filter: RawBuilder<unknown>) =>
  newestFirst(
    tsquery,
    ids,
    limit,
    filter,
    sql`
    select ${columns} from issues i
    where ${isIn(sql`i.project_id`, ids)} and i.words @@ to_tsquery('simple', ${tsquery})`,
  );

/**
 * PostgreSQL cannot estimate how often several words occur together, so this limits the rows that are read by index. In a few
 * projects without many issues, there is no limit: PostgreSQL can choose between the index, which covers all projects, and
 * scanning these projects' issues.
 */
const byWords = (tsquery: string, ids: number[], limit: number, filter: RawBuilder<unknown>) => {
  const indexed = sql`
    select ${columns}
    from issues_with_words(${ids}::bigint[], to_tsquery('simple', ${tsquery}), ${FROM_INDEX}) as indexed (id)
    join issues i on i.id = indexed.id where true`;
  if (ids.length >= MANY_PROJECTS) return newestFirst(tsquery, ids, limit, filter, indexed);
  const areFew = sql`(
    select sum(last_issue_number) <= least(${MOST_READ}, (select reltuples / 10 from pg_class where oid = 'issues'::regclass))
    from projects where id = any(${ids}::bigint[]))`;
  const read = sql`
    select ${columns}, i.closed_at, i.created_by from issues i
    where i.project_id = any(${ids}::bigint[]) and i.words @@ to_tsquery('simple', ${tsquery}) and ${areFew}
    offset 0`;
  return newestFirst(
    tsquery,
    ids,
    limit,
    filter,
    sql`
    select ${columns} from ((${read}) union all select ${columns}, i.closed_at, i.created_by from (${indexed}) found
      join issues i on i.id = found.id where not ${areFew}) i where true`,
  );
};

/** Searches the newest issues of the projects, and if too few of these match, runs the other query. */
function newestFirst(
  tsquery: string,
  ids: number[],
  limit: number,
  filter: RawBuilder<unknown>,
  otherwise: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return withKey(sql`
    with ${newestOf(ids)},
    hit as materialized (
      select ${columns} from newest i where i.words @@ to_tsquery('simple', ${tsquery}) ${filter}
      order by i.id desc limit ${limit}
    )
    select * from hit
    union all
    (${otherwise} and (select count(*) from hit) < ${limit} and (select count(*) from newest) = ${NEWEST} ${filter}
    order by i.id desc limit ${limit})`);
}

const searched = sql`${columns}, i.words, i.closed_at, i.created_by, i.id as sort_value`;

/**
 * The newest issues of the projects, as `newest`. For many projects, they are usually among the newest issues of the
 * installation, which are much faster to read than those of each project.
 */
function newestOf(ids: number[]): RawBuilder<unknown> {
  const ofEach = firstOfProjects({
    projectIds: ids,
    rowsWhere: (condition) => sql`select ${searched} from issues i where ${condition} order by i.id desc`,
    project: sql`i.project_id`,
    notAfter: (value) => sql`i.id >= coalesce(${value}, 0)`,
    direction: sql`desc`,
    limit: NEWEST,
  });
  if (ids.length < MANY_PROJECTS) return sql`newest as materialized (${ofEach})`;
  return sql`
    of_all as materialized (
      select * from (select ${searched} from issues i order by i.id desc limit ${3 * NEWEST}) i
      where ${isIn(sql`i.project_id`, ids)} order by i.id desc limit ${NEWEST}
    ),
    newest as materialized (
      select * from of_all where (select count(*) from of_all) = ${NEWEST}
      union all
      select of_each.* from (${ofEach}) of_each where (select count(*) from of_all) < ${NEWEST}
    )`;
}
