import { sql, type RawBuilder } from "kysely";
import type { SearchKind } from "../../shared/search.ts";
import type { Db } from "../db/connect.ts";
import type { Candidate } from "./candidate.ts";
import { errorGroupCandidates } from "./find-error-groups.ts";
import {
  commentFilter,
  epicFilter,
  errorGroupFilter,
  type HitFilters,
  isFilteredOut,
  issueFilter,
  reportFilter,
} from "./hit-filters.ts";
import { issueCandidates } from "./find-issues.ts";
import { likelyRows, type RareWords, rareWords, rowsWith, type WordTable } from "./rare-words.ts";
import { isIn, type ReadableProjects } from "./readable-projects.ts";
import type { Terms } from "./terms.ts";

/** Candidates per query: the newest ones, so that a common word is not more expensive. */
const MAX_CANDIDATES = 200;

/** What the statistics say about the words of a query, by table. */
export type KnownWords = { rare: RareWords; likelyIssues: number };

export async function knownWords(db: Db, { lexemes }: Terms): Promise<KnownWords> {
  const rare = await rareWords(db, lexemes);
  return { rare, likelyIssues: await likelyRows(db, "issues", lexemes, MAX_CANDIDATES) };
}

type CandidateSearch = {
  readable: ReadableProjects;
  kinds: SearchKind[];
  filters?: HitFilters | undefined;
  knownWords?: KnownWords | undefined;
};

/** The matches of all queries, unordered. A match of several queries appears several times. */
export async function findCandidates(
  db: Db,
  terms: Terms,
  {
    readable,
    kinds,
    filters = {},
    knownWords: { rare, likelyIssues } = { rare: {}, likelyIssues: Infinity },
  }: CandidateSearch,
): Promise<Candidate[]> {
  const wants = (kind: SearchKind) => kinds.includes(kind) && !isFilteredOut(kind, filters);
  const queries = [
    ...(wants("issue")
      ? issueCandidates(terms, {
          ids: readable.issue,
          limit: MAX_CANDIDATES,
          filter: issueFilter(filters),
          words: {
            rare: rare.issues,
            likely: likelyIssues,
          },
        })
      : []),
    ...(wants("epic")
      ? textCandidates("epic", terms, { ids: readable.epic, filter: epicFilter(filters), rare: rare.epics })
      : []),
    ...(wants("report")
      ? textCandidates("report", terms, {
          ids: readable.report,
          filter: reportFilter(filters),
          rare: rare.reports,
        })
      : []),
    ...(wants("comment") ? commentCandidates(terms, readable, filters, rare.comments) : []),
    ...(wants("error_group")
      ? errorGroupCandidates(terms, readable.error_group, MAX_CANDIDATES, errorGroupFilter(filters))
      : []),
    ...(wants("project") ? projectCandidates(terms, readable.project) : []),
  ];
  if (queries.length === 0) return [];
  const { rows } = await sql<Candidate>`${sql.join(
    queries.map((query) => sql`(${query})`),
    sql` union all `,
  )}`.execute(db);
  return rows;
}

const rowsOf = (table: WordTable, ids: number[], rare: string | undefined) =>
  rare === undefined ? sql.table(table) : rowsWith(table, rare, ids);

function textCandidates(
  kind: "epic" | "report",
  { tsquery }: Terms,
  { ids, filter, rare }: { ids: number[]; filter: RawBuilder<unknown>; rare: string | undefined },
): RawBuilder<unknown>[] {
  if (ids.length === 0 || tsquery === "") return [];
  return [
    sql`
      select ${sql.lit(kind)} as kind, t.id, null as key, t.title, t.created_at as at from ${rowsOf(`${kind}s`, ids, rare)} t
      where ${isIn(sql`t.project_id`, ids)} and t.words @@ to_tsquery('simple', ${tsquery}) ${filter}
      order by t.id desc limit ${MAX_CANDIDATES}`,
  ];
}

/** One query for comments on each kind of item, because the caller may read the kinds in different projects. */
function commentCandidates(
  { tsquery }: Terms,
  readable: ReadableProjects,
  filters: HitFilters,
  rare: string | undefined,
): RawBuilder<unknown>[] {
  if (tsquery === "") return [];
  return (["issue", "epic", "error_group", "report"] as const)
    .filter((kind) => readable[kind].length > 0)
    .map(
      (kind) => sql`
        select 'comment' as kind, c.id, null as key, null as title, c.created_at as at
        from ${rowsOf("comments", readable[kind], rare)} c
        where ${isIn(sql`c.project_id`, readable[kind])} and ${sql.ref(`c.${kind}_id`)} is not null
          and c.words @@ to_tsquery('simple', ${tsquery}) ${commentFilter(kind, filters)}
        order by c.id desc limit ${MAX_CANDIDATES}`,
    );
}

/**
 * Matches a prefix of the key, or words anywhere in the name and description. Projects are too few to need an index.
 */
function projectCandidates({ words, patterns }: Terms, ids: number[]): RawBuilder<unknown>[] {
  const [first] = words;
  if (ids.length === 0 || first === undefined) return [];
  return [
    sql`
      select 'project' as kind, p.id, p.key, p.name as title, p.created_at as at from projects p
      where p.id = any(${ids}::bigint[])
        and (${words.length === 1} and starts_with(p.key, ${first.toUpperCase()})
          or p.name || ' ' || coalesce(p.description, '') ilike all(${patterns}::text[]))
      order by p.id desc limit ${MAX_CANDIDATES}`,
  ];
}
