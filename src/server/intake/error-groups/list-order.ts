import { sql, type RawBuilder } from "kysely";
import type { ErrorGroupSort } from "../../../shared/error-groups.ts";
import { invalid } from "../../answers/errors.ts";
import { firstByImpact, HAS_IMPACT, IMPACT } from "./impact.ts";

/** The order of a list of groups `g`: by a whole number, then by id. A cursor is the number and id of a page's last row. */
export type ListOrder = {
  value: RawBuilder<number>;
  direction: RawBuilder<unknown>;
  /** What the groups of one project are sorted by: the same order, in a form that an index can provide. */
  indexed: RawBuilder<unknown>;
  /** Joins what `value` and `indexed` read besides the groups. */
  join: RawBuilder<unknown>;
  /** The condition for the rows after the cursor. */
  after: RawBuilder<unknown>;
  /** Selects the same first rows of those with this condition more quickly, if there is such a way. */
  first?: (where: RawBuilder<unknown>, limit: number) => RawBuilder<unknown>;
};

const microseconds = (column: string) =>
  sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`;

type Ranking = {
  value: RawBuilder<number>;
  /** Provide the order of `value` by index. If there are two, the first one is coarser, so that events seldom change it. */
  columns?: RawBuilder<unknown>[];
  join?: RawBuilder<unknown>;
  only?: RawBuilder<unknown>;
  /** The first of `columns` of a row with this value, so that the index skips the pages before a cursor. */
  coarse?: (value: number) => RawBuilder<unknown>;
};

const RANKINGS: Record<ErrorGroupSort, Ranking> = {
  last_seen: {
    value: microseconds("g.last_seen_at"),
    columns: [sql`g.last_seen_span`, sql`g.last_seen_at`],
    coarse: (value) =>
      sql`date_bin('10 minutes', timestamptz 'epoch' + ${value} * interval '1 microsecond', 'epoch')`,
  },
  first_seen: { value: microseconds("g.first_seen_at"), columns: [sql`g.first_seen_at`] },
  events: {
    value: sql`g.occurrence_count`,
    columns: [sql`g.events_magnitude`, sql`g.occurrence_count`],
    coarse: (value) => sql`floor(2 * ln(greatest(${value}::bigint, 1)::double precision))::smallint`,
  },
  users: {
    value: sql`coalesce((select c.users from error_group_counts c where c.group_id = g.id), 0)::bigint`,
  },
  impact: { value: IMPACT },
};

/** Groups that these leave out have the value 0. */
const QUICK: Partial<Record<ErrorGroupSort, Ranking>> = {
  users: {
    value: sql`c.users::bigint`,
    columns: [sql`c.users`],
    join: sql`join error_group_counts c on c.group_id = g.id`,
    coarse: (value) => sql`${value}::bigint`,
  },
  impact: { value: IMPACT, only: HAS_IMPACT },
};

export function listOrder(sort: ErrorGroupSort, way: "asc" | "desc", cursor: string | undefined): ListOrder {
  return orderBy(RANKINGS[sort], way, cursor);
}

/**
 * A quicker way to the same rows, as long as the values of all rows of the page are above 0. Undefined if there is none.
 */
export function quickListOrder(
  sort: ErrorGroupSort,
  way: "asc" | "desc",
  cursor: string | undefined,
): ListOrder | undefined {
  const quick = way === "desc" ? QUICK[sort] : undefined;
  if (!quick) return undefined;
  const order = orderBy(quick, way, cursor);
  if (sort !== "impact") return order;
  const last = cursor === undefined ? undefined : readCursor(cursor);
  return { ...order, first: (where, limit) => firstByImpact({ where, last, limit }) };
}

function orderBy(ranking: Ranking, way: "asc" | "desc", cursor: string | undefined): ListOrder {
  const { value, columns = [value], join = sql``, only = sql``, coarse } = ranking;
  const direction = way === "asc" ? sql`asc` : sql`desc`;
  const indexed = sql.join([...columns, sql`g.id`].map((column) => sql`${column} ${direction}`));
  if (cursor === undefined) return { value, direction, indexed, join, after: only };
  const last = readCursor(cursor);
  const [beyond, from] = way === "asc" ? [sql`>`, sql`>=`] : [sql`<`, sql`<=`];
  const within = coarse ? sql`and ${columns[0]} ${from} ${coarse(last.value)}` : sql``;
  return {
    value,
    direction,
    indexed,
    join,
    after: sql`${only} and (${value}, g.id) ${beyond} (${last.value}::bigint, ${last.id}::bigint) ${within}`,
  };
}

export const cursorOf = (value: number, id: number) => Buffer.from(`${value} ${id}`).toString("base64url");

function readCursor(cursor: string): { value: number; id: number } {
  const [, value, id] =
    /^(\d{1,16}) (\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (value === undefined || !Number.isSafeInteger(Number(value)) || !Number.isSafeInteger(Number(id)))
    throw invalid({ cursor: ["is not a cursor of this list"] });
  return { value: Number(value), id: Number(id) };
}
