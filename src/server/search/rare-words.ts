import { sql, type RawBuilder } from "kysely";
import type { Db } from "../db/connect.ts";
import { isIn } from "./readable-projects.ts";
import type { Lexeme } from "./terms.ts";

const TABLES = ["issues", "epics", "reports", "comments"] as const;
export type WordTable = (typeof TABLES)[number];

/** The rarest word of a query, as a separate tsquery, for the tables where few rows have it. */
export type RareWords = { [table in WordTable]?: string };

/** Up to this number of rows with the word, reading all of them is faster than searching the newest rows first. */
const FEW = 3_000;

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
    const [first] = plain
      .map((lexeme) => ({ lexeme, rows: rowsWith(lexeme, statistics) }))
      .sort((a, b) => a.rows - b.rows);
    if (first && first.rows <= FEW) rare[statistics.table] = first.lexeme.tsquery;
  }
  return rare;
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
  const statistics = (await currentStatistics(db)).find((of) => of.table === table);
  if (!statistics) return undefined;
  const { rows } = statistics;
  const part = lexemes.reduce((all, lexeme) => (all * rowsWith(lexeme, statistics)) / rows, 1);
  const window = Math.ceil((2 * count) / part);
  return 2 * window < part * rows ? window : undefined;
}

/** The rows of the projects with the word. `offset 0` keeps PostgreSQL from looking up further words in the index, too. */
export const rowsWithWord = (table: WordTable, word: string, ids: number[]): RawBuilder<unknown> => sql`(
  select * from ${sql.table(table)} where ${isIn(sql`project_id`, ids)} and words @@ to_tsquery('simple', ${word}) offset 0)`;

/** The number of rows of a table, and the part of them that has each common word. */
type Statistics = { table: WordTable; rows: number; words: string[]; parts: number[] };

function rowsWith({ word, isPrefix }: Lexeme, { rows, words, parts }: Statistics): number {
  const has = (common: string) => (isPrefix ? common.startsWith(word) : common === word);
  return rows * words.reduce((sum, common, at) => (has(common) ? sum + (parts[at] ?? 0) : sum), 0);
}

/** Cached, because PostgreSQL rarely updates its statistics, and reading them takes longer than some searches. */
const KEPT_MS = 60_000;

type Known = { since: number; statistics: Promise<Statistics[]> };
const known = new WeakMap<Db, Known>();

function currentStatistics(db: Db): Promise<Statistics[]> {
  const now = performance.now();
  const kept = known.get(db);
  if (kept && now < kept.since + KEPT_MS) return kept.statistics;
  const statistics = readStatistics(db);
  known.set(db, { since: now, statistics });
  statistics.catch(() => known.delete(db));
  return statistics;
}

async function readStatistics(db: Db): Promise<Statistics[]> {
  const { rows } = await sql<Statistics>`
    select s.tablename as table, c.reltuples as rows, coalesce(s.most_common_elems::text::text[], '{}') as words,
      coalesce(s.most_common_elem_freqs, '{}') as parts
    from pg_stats s join pg_class c on c.oid = format('%I.%I', s.schemaname, s.tablename)::regclass
    where s.schemaname = current_schema() and s.tablename = any(${TABLES}::text[]) and s.attname = 'words'`.execute(
    db,
  );
  return rows;
}
