import { sql } from "kysely";
import type { SimilarKind } from "../../../shared/similar.ts";
import type { Db } from "../../db/connect.ts";
import { numbersIn, TERM_TABLES } from "./term-tables.ts";
import type { WeightedTerm } from "./term-weights.ts";

/** Items of each kind whose terms are compared: those that share the most of the rarest terms. */
const MAX_COMPARED = 40;

/** A term may be in more items than the statistics say. */
const MAX_ITEMS_OF_TERM = 3_000;

export type Candidate = { id: number; terms: number[] };

/** The items of a kind that share the most of the rarest terms, with all their terms. */
export async function findCandidates(
  db: Db,
  kind: SimilarKind,
  rarest: readonly WeightedTerm[],
  exceptReportId: number | undefined,
): Promise<Candidate[]> {
  const { name, id } = TERM_TABLES[kind];
  const table = sql.table(name);
  const itemId = sql.ref(`t.${id}`);
  const others =
    kind === "report" && exceptReportId !== undefined ? sql`and ${itemId} <> ${exceptReportId}` : sql``;
  const { rows } = await sql<{ id: number; terms: string }>`
    select ${itemId} as id, t.terms::text as terms
    from (
      select hit.id
      from unnest(${rarest.map(({ term }) => term)}::integer[], ${rarest.map(({ weight }) => weight)}::float8[])
        as chosen (term, weight)
      cross join lateral (
        select ${itemId} as id from ${table} t where t.terms @> array[chosen.term] ${others} limit ${MAX_ITEMS_OF_TERM}
      ) hit
      group by hit.id order by sum(chosen.weight) desc limit ${MAX_COMPARED}
    ) best join ${table} t on ${itemId} = best.id`.execute(db);
  return rows.map(({ id, terms }) => ({ id, terms: numbersIn(terms) }));
}
