import { sql, type RawBuilder } from "kysely";
import type { Terms } from "./terms.ts";

/** Issues whose key begins with the query, for each number of digits that follow. */
const MOST_KEYS = 20;
/** With several words the newest issues are read, and if these give too few, so many of the index's. */
const NEWEST = 1_000;
const OF_INDEX = 1_000;

/** Issues by their key or the beginning of it, by their number, and by the words of title and description. */
export function issueCandidates(terms: Terms, ids: number[], most: number): RawBuilder<unknown>[] {
  if (ids.length === 0) return [];
  const { key, number, tsquery } = terms;
  return [
    ...(key === undefined ? [] : [byKey(key, ids)]),
    ...(number === undefined ? [] : [byNumber(number, ids, most)]),
    ...(tsquery === ""
      ? []
      : [tsquery.includes("&") ? byWords(tsquery, ids, most) : byWord(tsquery, ids, most)]),
  ];
}

const columns = sql`i.id, i.project_id, i.number, i.title, i.created_at`;

const chosen = (which: RawBuilder<unknown>) => sql`
  select 'issue' as kind, i.id, p.key || '-' || i.number as key, i.title, i.created_at as at
  from (${which}) i join projects p on p.id = i.project_id`;

function byKey({ project, number }: { project: string; number: number }, ids: number[]): RawBuilder<unknown> {
  return chosen(sql`
    select i.* from projects p
    cross join unnest(${beginnings(number)}::int[], ${endings(number)}::int[]) as range (first, last)
    cross join lateral (
      select ${columns} from issues i
      where i.project_id = p.id and i.number between range.first and range.last
      order by i.number limit ${MOST_KEYS}
    ) i
    where p.key = ${project} and p.id = any(${ids}::bigint[])`);
}

/** 12 → 12, 120–129, 1200–1299 …: the numbers that begin with its digits. */
const beginnings = (number: number) => powersFor(number).map((power) => number * power);
const endings = (number: number) => powersFor(number).map((power) => (number + 1) * power - 1);
const powersFor = (number: number) =>
  [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].filter((power) => (number + 1) * power < 2 ** 31);

const byNumber = (number: number, ids: number[], most: number) =>
  chosen(sql`
    select ${columns} from issues i
    where i.project_id = any(${ids}::bigint[]) and i.number = ${number}
    order by i.id desc limit ${most}`);

/** Of one word PostgreSQL knows how common it is: it reads the newest issues, or the index. */
const byWord = (tsquery: string, ids: number[], most: number) =>
  chosen(sql`
    select ${columns} from issues i
    where i.project_id = any(${ids}::bigint[]) and i.words @@ to_tsquery('simple', ${tsquery})
    order by i.id desc limit ${most}`);

/** Of several it does not know how often they meet, so neither is read without a bound. */
const byWords = (tsquery: string, ids: number[], most: number) =>
  chosen(sql`
    with newest as materialized (
      select ${columns}, i.words from issues i where i.project_id = any(${ids}::bigint[])
      order by i.id desc limit ${NEWEST}
    ), hit as materialized (
      select ${columns} from newest i where i.words @@ to_tsquery('simple', ${tsquery}) limit ${most}
    )
    select * from hit
    union all
    (select ${columns}
    from issues_with_words(${ids}::bigint[], to_tsquery('simple', ${tsquery}), ${OF_INDEX}) as indexed (id)
    join issues i on i.id = indexed.id
    where (select count(*) from hit) < ${most} and (select count(*) from newest) = ${NEWEST}
    order by i.id desc limit ${most})`);
