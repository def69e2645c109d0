import { sql } from "kysely";
import type { SimilarKind } from "../../../shared/similar.ts";
import type { Db } from "../../db/connect.ts";
import { numbersIn, TERM_TABLES } from "./term-tables.ts";
import type { TermStatistics } from "./term-weights.ts";

type Row = {
  name: string;
  item_count: number;
  /** Arrays as PostgreSQL writes them. Null before the table has been analyzed. */
  terms: string | null;
  parts: string | null;
};

/** What PostgreSQL has noted about the terms of each kind of item when it last analyzed them. */
export async function readStatistics(db: Db): Promise<Record<SimilarKind, TermStatistics>> {
  const names = Object.values(TERM_TABLES).map(({ name }) => name);
  const { rows } = await sql<Row>`
    select c.relname as name, c.reltuples::float8 as item_count,
      s.most_common_elems::text as terms, s.most_common_elem_freqs::text as parts
    from pg_class c
    left join pg_stats s on s.schemaname = current_schema() and s.tablename = c.relname and s.attname = 'terms'
    where c.oid = any(${names}::regclass[])`.execute(db);
  const statisticsOf = (kind: SimilarKind): TermStatistics => {
    const row = rows.find(({ name }) => name === TERM_TABLES[kind].name);
    return { itemCount: row?.item_count ?? 0, common: commonTerms(row) };
  };
  return {
    report: statisticsOf("report"),
    issue: statisticsOf("issue"),
    error_group: statisticsOf("error_group"),
  };
}

function commonTerms({ terms, parts }: Pick<Row, "terms" | "parts"> = { terms: null, parts: null }) {
  if (terms === null || parts === null) return new Map<number, number>();
  // The parts of the terms are followed by the smallest, the largest, and that of null.
  const partOf = numbersIn(parts);
  return new Map(numbersIn(terms).map((term, n) => [term, partOf[n] ?? 0]));
}
