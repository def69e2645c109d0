import { sql, type RawBuilder } from "kysely";
import type { Issue, IssueFilters } from "../../../shared/issues.ts";
import { projectsReadable } from "../../access/readable-kinds.ts";
import { firstOfProjects, MANY_PROJECTS } from "../../access/first-of-projects.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import { isAmong, meAs } from "../../db/is-among.ts";
import type { Page } from "../../../shared/answers.ts";
import { pageOf, type PageQuery } from "../../answers/page.ts";
import { readCursor, writeCursor, type Sort } from "./cursor.ts";
import { isIn } from "../../search/readable-projects.ts";
import { likelySince, likelyWindow, rareWords, rowsWith } from "../../search/rare-words.ts";
import type { Lexeme } from "../../search/terms.ts";
import { wordsOf } from "../../../shared/search-words.ts";
import { completed, type IssueRow, issueColumns } from "./read-issue.ts";

type Query = IssueFilters & PageQuery;

const MAX_WITH_WORDS = 5_000;

/** The project's issues, newest first unless the query sorts them otherwise. */
export function listIssues(db: Db, projectId: number, userId: number, query: Query): Promise<Page<Issue>> {
  return list(db, [projectId], userId, query);
}

/** The issues of every project where the caller may read issues. Filtering by another project finds nothing. */
export async function listAllIssues(db: Db, caller: Caller, query: Query): Promise<Page<Issue>> {
  // Read the ids first, so that PostgreSQL knows their number when it plans the list.
  const { rows } = await sql<{ id: number }>`${projectsReadable(caller, "issue")}`.execute(db);
  return list(
    db,
    rows.map(({ id }) => id),
    caller.user_id,
    query,
  );
}

/** The inner query selects the rows of the page; labels, relations and counts are read for these rows only. */
async function list(db: Db, projectIds: number[], userId: number, query: Query): Promise<Page<Issue>> {
  const sort = query.sort ?? { by: "created_at", descending: true };
  const order = orderBy(sort);
  const select = async (page: RawBuilder<unknown>) => {
    const { rows } = await sql<IssueRow>`
      select ${issueColumns(userId)} from (${page}) page join issues i on i.id = page.id
      join projects p on p.id = i.project_id
      order by ${order}`.execute(db);
    return rows;
  };
  const newest = await amongNewest(db, projectIds, { userId, query, sort });
  const found = newest ? await select(newest) : [];
  const rows =
    found.length > query.limit
      ? found
      : await select(await allMatching(db, projectIds, { userId, query, sort }));
  const page = pageOf(rows, query, (last) => writeCursor(sort, last));
  return { ...page, data: await completed(db, page.data) };
}

async function allMatching(
  db: Db,
  projectIds: number[],
  { userId, query, sort }: { userId: number; query: Query; sort: Sort },
) {
  const hasText =
    query.query === undefined ? [] : [await matching(db, projectIds, query.query, isNarrow(query))];
  const conditions = [...where(query, userId), ...hasText, ...afterCursor(query, sort)];
  return firstOfProjects({
    projectIds,
    rowsWhere: (condition) => sql`
      select i.id, i.project_id, i.rank, ${sortColumn(sort)} as sort_value from issues i
      where ${sql.join([condition, ...conditions], sql` and `)} order by ${orderBy(sort)}`,
    project: sql`i.project_id`,
    notAfter: NARROWING.some((filter) => isNarrowing(query[filter])) ? undefined : notAfter(sort),
    direction: sort.descending ? sql`desc` : sql`asc`,
    limit: query.limit + 1,
  });
}

/**
 * The first page of issues with common words, searched among the newest issues, because PostgreSQL would otherwise read and sort
 * all issues with these words. If the page is full, no other issue comes before its last one. Undefined if the words are not
 * common enough.
 */
async function amongNewest(
  db: Db,
  projectIds: number[],
  { userId, query, sort }: { userId: number; query: Query; sort: Sort },
) {
  const { by, descending } = sort;
  if (query.query === undefined || query.cursor !== undefined || !descending) return undefined;
  if (by !== "created_at" && by !== "updated_at") return undefined;
  if (isNarrow(query) || keyOf(query.query)) return undefined;
  const lexemes = wordsOf(query.query).map(prefix);
  const window = await likelyWindow(db, "issues", lexemes, query.limit + 1);
  if (window === undefined)
    return sinceTime(db, projectIds, {
      count: query.limit + 1,
      sort: { by, descending },
      lexemes,
      conditions: where(query, userId),
    });
  const newest = firstOfProjects({
    projectIds,
    rowsWhere: (condition) => sql`
      select i.id, i.project_id, ${sortColumn(sort)} as sort_value from issues i where ${condition} order by ${orderBy(sort)}`,
    project: sql`i.project_id`,
    notAfter: notAfter(sort),
    direction: sql`desc`,
    limit: window,
  });
  return sql`
    select i.id from (${newest}) newest join issues i on i.id = newest.id
    where ${sql.join([hasAll(lexemes), ...where(query, userId)], sql` and `)} order by ${orderBy(sort)} limit ${query.limit + 1}`;
}

type WindowOfTime = {
  count: number;
  sort: Sort & { by: "created_at" | "updated_at" };
  lexemes: Lexeme[];
  conditions: RawBuilder<unknown>[];
};

/**
 * The same for words in fewer issues of many projects: PostgreSQL combines the index of the rarest word with the one of times, and
 * reads only recent issues that have the word. In few projects, reading all that have the words takes no longer.
 */
async function sinceTime(db: Db, projectIds: number[], { count, sort, lexemes, conditions }: WindowOfTime) {
  if (projectIds.length < MANY_PROJECTS) return undefined;
  const since = await likelySince(db, { table: "issues", column: sort.by, lexemes, count });
  if (since === undefined) return undefined;
  const rare = (await rareWords(db, lexemes)).issues;
  const matches = rare === undefined ? [hasAll(lexemes)] : [hasAll([{ tsquery: rare }]), alsoHasAll(lexemes)];
  return sql`
    select i.id from issues i
    where i.project_id = any(${projectIds}::bigint[]) and ${sortColumn(sort)} >= ${since}::timestamptz
      and ${sql.join([...matches, ...conditions], sql` and `)}
    order by ${orderBy(sort)} limit ${count}`;
}

const isNarrow = (query: Query) =>
  NARROWING.some((filter) => filter !== "query" && isNarrowing(query[filter]));

/** Most issues may have no sprint, epic or assignee. */
const isNarrowing = (value: Query[(typeof NARROWING)[number]]): boolean =>
  value !== undefined && !(Array.isArray(value) && (value as unknown[]).includes(null));

/** Filters that match few issues, which an index finds. */
const NARROWING = [
  "ids",
  "project_id",
  "assignee_id",
  "lane_id",
  "epic_id",
  "sprint_id",
  "parent_id",
  "duplicate_of_id",
  "label_id",
  "query",
] as const satisfies (keyof Query)[];

/** For orders that an index provides: the condition for the issues up to this value, or for all issues if it is null. */
function notAfter(sort: Sort): ((value: RawBuilder<unknown>) => RawBuilder<unknown>) | undefined {
  const { by, descending } = sort;
  if (by === "priority" || by === "rank" || (by === "due_on" && descending)) return undefined;
  const [upTo, end] = descending ? [sql`>=`, sql`'-infinity'`] : [sql`<=`, sql`'infinity'`];
  return (value) => sql`${sortColumn(sort)} ${upTo} coalesce(${value}, ${end})`;
}

/** The index of a lane's order covers the first 64 characters of the ranks, so sort by these first. */
function orderBy(sort: Sort): RawBuilder<unknown> {
  const { by, descending } = sort;
  const direction = descending ? sql`desc` : sql`asc`;
  const first = by === "rank" ? sql`left(i.rank, 64) ${direction}, ` : sql``;
  return sql`${first}${sortColumn(sort)} ${direction}, i.id ${direction}`;
}

/** Issues without a due date are last in both directions. */
function sortColumn({ by, descending }: Sort): RawBuilder<unknown> {
  if (by !== "due_on") return sql.ref(`i.${by}`);
  return sql`coalesce(i.due_on, ${sql.lit(descending ? "-infinity" : "infinity")}::date)`;
}

function afterCursor(query: Query, sort: Sort): RawBuilder<unknown>[] {
  if (query.cursor === undefined) return [];
  const { value, id } = readCursor(sort, query.cursor);
  const than = sort.descending ? sql`<` : sql`>`;
  const prefix = sql`left(i.rank, 64) ${than}= left(${value}, 64)`;
  return [
    ...(sort.by === "rank" ? [prefix] : []),
    sql`(${sortColumn(sort)}, i.id) ${than} (${value}, ${id}::bigint)`,
  ];
}

function where(query: Query, userId: number): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  const among = (column: string, values: readonly (number | null)[] | undefined) => {
    if (values !== undefined) conditions.push(isAmong(`i.${column}`, values));
  };
  const same = (column: string, value: number | undefined) =>
    among(column, value === undefined ? undefined : [value]);
  if (query.ids !== undefined) conditions.push(sql`i.id = any(${query.ids}::bigint[])`);
  same("project_id", query.project_id);
  among("assignee_id", query.assignee_id && meAs(userId, query.assignee_id));
  among("lane_id", query.lane_id);
  among("type", query.type);
  among("priority", query.priority);
  among("epic_id", query.epic_id);
  among("sprint_id", query.sprint_id);
  among("parent_id", query.parent_id);
  same("duplicate_of_id", query.duplicate_of_id);
  if (query.due_before !== undefined) conditions.push(sql`i.due_on < ${query.due_before}::date`);
  if (query.closed !== undefined)
    conditions.push(query.closed ? sql`i.closed_at is not null` : sql`i.closed_at is null`);
  if (query.lane_kind !== undefined)
    conditions.push(sql`i.lane_id in (select id from lanes where kind = ${query.lane_kind})`);
  if (query.label_id !== undefined) conditions.push(hasLabel(query.label_id));
  return conditions;
}

/** Null stands for issues without a label. */
function hasLabel(values: readonly (number | null)[]): RawBuilder<unknown> {
  const given = values.filter((value) => value !== null);
  const any = sql`exists (select from issue_labels l where l.issue_id = i.id and ${isAmong("l.label_id", given)})`;
  if (given.length === values.length) return any;
  return sql`(${any} or not exists (select from issue_labels l where l.issue_id = i.id))`;
}

/**
 * Every word of the query starts a word of the title or description, or the query is the issue's key. `areFew` if other filters leave few
 * issues.
 */
async function matching(
  db: Db,
  projectIds: number[],
  query: string,
  areFew: boolean,
): Promise<RawBuilder<unknown>> {
  const [, key, number] = keyOf(query) ?? [];
  const lexemes = wordsOf(query).map(prefix);
  const areMany = projectIds.length >= MANY_PROJECTS;
  const rare = lexemes.length > 1 ? (await rareWords(db, lexemes)).issues : undefined;
  if (key === undefined && rare === undefined && (areMany || areFew)) {
    const found = areMany && !areFew ? await fewWithWords(db, projectIds, lexemes) : undefined;
    // Checked again, because an issue may have changed since.
    return found ? sql`i.id = any(${found}::bigint[]) and ${alsoHasAll(lexemes)}` : hasAll(lexemes);
  }
  const candidates =
    areMany && rare === undefined
      ? sql.table("issues")
      : rowsWith("issues", rare ?? tsqueryOf(lexemes), projectIds);
  const withKey = sql`
    union all
    select named.id from issues named join projects p on p.id = named.project_id
    where p.key = ${key?.toUpperCase()} and named.number = ${number}::bigint and named.project_id = any(${projectIds}::bigint[])`;
  return sql`i.id = any(array(
    select found.id from ${candidates} found where ${isIn(sql`found.project_id`, projectIds)} and found.words @@ ${allOf(lexemes)}
    ${key === undefined ? sql`` : withKey}))`;
}

/** The issues with several common words, if they are few: all entries of these words in the index need more memory than a list has. */
async function fewWithWords(db: Db, projectIds: number[], lexemes: Lexeme[]) {
  if (lexemes.length < 2) return undefined;
  const { rows } = await sql<{ id: number }>`
    select id from issues_with_words(${projectIds}::bigint[], ${allOf(lexemes)}, ${MAX_WITH_WORDS + 1}) as found (id)`.execute(
    db,
  );
  return rows.length > MAX_WITH_WORDS ? undefined : rows.map(({ id }) => id);
}

const keyOf = (query: string) => /^([A-Za-z][A-Za-z0-9]{1,9})-([1-9][0-9]{0,14})$/.exec(query.trim());

const prefix = (word: string) => ({ word: word.toLowerCase(), isPrefix: true, tsquery: `'${word}':*` });

const hasAll = (lexemes: { tsquery: string }[]) => sql`i.words @@ ${allOf(lexemes)}`;

/** A condition on issues that another condition finds: `case` keeps PostgreSQL from looking up these words in the index as well. */
const alsoHasAll = (lexemes: Lexeme[]) => sql`case when ${hasAll(lexemes)} then true else false end`;

const allOf = (lexemes: { tsquery: string }[]) => sql`to_tsquery('simple', ${tsqueryOf(lexemes)})`;

const tsqueryOf = (lexemes: { tsquery: string }[]) => lexemes.map(({ tsquery }) => tsquery).join(" & ");
