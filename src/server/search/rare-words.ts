import { sql, type RawBuilder } from "kysely";
import { MANY_PROJECTS } from "../access/first-of-projects.ts";
import type { Db } from "../db/connect.ts";
import { isIn } from "./readable-projects.ts";
import type { Lexeme } from "./terms.ts";

const TABLES = ["issues", "epics", "reports", "comments"] as const;
export type WordTable = (typeof TABLES)[number];

/** The rarest word of a query, as a separate tsquery, for the tables where few rows have it. */
export type RareWords = { [table in WordTable]?: string };

/** Up to this number of rows with the word, reading all of them is faster than searching the newest rows first. */
const FEW = 3_000;
/** Reading a row takes as long as reading this many entries of the index. */
const ENTRIES_PER_ROW = 20;

/** Depending on its locale, PostgreSQL ignores other characters, so looking them up would find nothing. */
const PLAIN = /^[\p{L}\p{N}]+$/u;

/**
 * Finds the rarest word by PostgreSQL's statistics, which count the thousand most common words of each table. A search by index
 * reads the entries of every word, and those of a common word take many times as long as the few rows with the rarest one.
 */
export async function rareWords(db: Db, lexemes: Lexeme[]): Promise<RareWords> {
  const plain = lexemes.filter(({ word }) => PLAIN.test(word));
  if (plain.length === 0) return {};
  const rare: RareWords = {};
  for (const statistics of await currentStatistics(db)) {
    const [first, ...others] = plain
      .map((lexeme) => ({ lexeme, rows: countWith(lexeme, statistics) }))
      .sort((a, b) => a.rows - b.rows);
    const otherEntries = others.reduce((sum, { rows }) => sum + rows, 0);
    if (first && first.rows <= Math.max(FEW, otherEntries / ENTRIES_PER_ROW))
      rare[statistics.table] = first.lexeme.tsquery;
  }
  return rare;
}

/** How many rows of the table are likely to contain `count` rows with all the words. Infinity if hardly any row has them. */
export async function likelyRows(
  db: Db,
  table: WordTable,
  lexemes: Lexeme[],
  count: number,
): Promise<number> {
  const statistics = await statisticsOf(db, table);
  return statistics ? Math.ceil((2 * count) / partWith(lexemes, statistics)) : Infinity;
}

/**
 * The number of newest rows of the table that are likely to contain `count` rows with all the words. Undefined if reading all rows
 * with the words takes about as long.
 */
export async function likelyWindow(
  db: Db,
  table: WordTable,
  lexemes: Lexeme[],
  count: number,
): Promise<number | undefined> {
  const statistics = await statisticsOf(db, table);
  if (!statistics) return undefined;
  const window = await likelyRows(db, table, lexemes, count);
  return 2 * window < partWith(lexemes, statistics) * statistics.rows ? window : undefined;
}

type WordsInTime = { table: WordTable; column: TimeColumn; lexemes: Lexeme[]; count: number };

/**
 * The time since which the table is likely to have several times as many rows with all the words. Undefined if few rows have them, or if
 * that is true of a large part of the table only.
 */
export async function likelySince(
  db: Db,
  { table, column, lexemes, count }: WordsInTime,
): Promise<string | undefined> {
  const statistics = await statisticsOf(db, table);
  // Each part of the table between two bounds has as many rows as any other.
  const bounds = statistics?.times?.[column];
  if (!statistics || !bounds) return undefined;
  const part = partWith(lexemes, statistics);
  const parts = bounds.length - 1;
  const newest = Math.ceil(((4 * count) / part / statistics.rows) * parts);
  return part * statistics.rows > FEW && 4 * newest <= parts ? bounds.at(-1 - newest) : undefined;
}

/**
 * The rows of the projects that match the query. For the issues of a few projects, there is an index that has the words of each project,
 * so that other projects do not matter. `offset 0` keeps PostgreSQL from looking up further words in the index, too.
 */
export const rowsWith = (table: WordTable, tsquery: string, ids: number[]): RawBuilder<unknown> =>
  table === "issues" && ids.length < MANY_PROJECTS
    ? sql`(
      select i.* from issues_of_projects_with_words(${ids}::bigint[], to_tsquery('simple', ${tsquery})) as found (id)
      join issues i on i.id = found.id offset 0)`
    : sql`(
      select * from ${sql.table(table)}
      where ${isIn(sql`project_id`, ids)} and words @@ to_tsquery('simple', ${tsquery}) offset 0)`;

type TimeColumn = "created_at" | "updated_at";

/** The number of rows of a table, the part of them that has each common word, and for issues the distribution of their times. */
type Statistics = {
  table: WordTable;
  rows: number;
  words: string[];
  parts: number[];
  times: { [column in TimeColumn]?: string[] | null } | null;
};

/** The part of the rows that has all the words, if these are independent. */
const partWith = (lexemes: Lexeme[], statistics: Statistics): number =>
  lexemes.reduce((all, lexeme) => (all * countWith(lexeme, statistics)) / statistics.rows, 1);

function countWith({ word, isPrefix }: Lexeme, { rows, words, parts }: Statistics): number {
  const has = (common: string) => (isPrefix ? common.startsWith(word) : common === word);
  return rows * words.reduce((sum, common, at) => (has(common) ? sum + (parts[at] ?? 0) : sum), 0);
}

/** Cached, because PostgreSQL rarely updates its statistics, and reading them takes longer than some searches. */
const KEPT_MS = 60_000;

type CachedStatistics = { since: number; statistics: Promise<Statistics[]> };
const cachedStatistics = new WeakMap<Db, CachedStatistics>();

const statisticsOf = async (db: Db, table: WordTable): Promise<Statistics | undefined> =>
  (await currentStatistics(db)).find((of) => of.table === table);

function currentStatistics(db: Db): Promise<Statistics[]> {
  const now = performance.now();
  const kept = cachedStatistics.get(db);
  if (kept && now < kept.since + KEPT_MS) return kept.statistics;
  const statistics = readStatistics(db);
  cachedStatistics.set(db, { since: now, statistics });
  statistics.catch(() => cachedStatistics.delete(db));
  return statistics;
}

async function readStatistics(db: Db): Promise<Statistics[]> {
  const { rows } = await sql<Statistics>`
    select s.tablename as table, c.reltuples as rows, coalesce(s.most_common_elems::text::text[], '{}') as words,
      coalesce(s.most_common_elem_freqs, '{}') as parts,
      case when s.tablename = 'issues' then (
        select json_object_agg(t.attname, t.histogram_bounds::text::text[]) from pg_stats t
        where t.schemaname = s.schemaname and t.tablename = s.tablename and t.attname in ('created_at', 'updated_at')) end as times
    from pg_stats s join pg_class c on c.oid = format('%I.%I', s.schemaname, s.tablename)::regclass
    where s.schemaname = current_schema() and s.tablename = any(${TABLES}::text[]) and s.attname = 'words'`.execute(
    db,
  );
  return rows;
}
