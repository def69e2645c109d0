import { sql, type RawBuilder } from "kysely";
import { columns, type IssueSearch, newestWithWords } from "./issues-with-words.ts";
import type { Terms } from "./terms.ts";

/** Issues to find by a key prefix, for each possible length of their number. */
const MAX_PER_LENGTH = 20;

/** Issues by key or key prefix, by number, and by words in the title and description. */
export function issueCandidates(
  terms: Terms,
  { ids, limit, filter, words }: IssueSearch,
): RawBuilder<unknown>[] {
  if (ids.length === 0) return [];
  const { key, number, tsquery } = terms;
  return [
    ...(key === undefined ? [] : [byKey(key, ids, filter)]),
    ...(number === undefined ? [] : [byNumber(number, ids, limit, filter)]),
    ...(tsquery === "" ? [] : [withKey(newestWithWords(terms, { ids, limit, filter, words }))]),
  ];
}

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
