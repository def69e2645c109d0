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
  /** The column with the project in the table whose index provides the order. */
  project: RawBuilder<unknown>;
  /** The condition for the rows after the cursor. */
  after: RawBuilder<unknown>;
  /** The condition for the rows up to the one with this value and id, and maybe some further ones, if an index provides the order. */
  notAfter: ((value: RawBuilder<unknown>, id: RawBuilder<unknown>) => RawBuilder<unknown>) | undefined;
  /** Selects the same first rows among those with this condition more quickly, where that is possible. */
  first?: (where: RawBuilder<unknown>, limit: number) => RawBuilder<unknown>;
};

const microseconds = (column: string) =>
  sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`;

type Ranking = {
  value: RawBuilder<number>;
  /** Provide the order of `value` by index. If there are two, the first one is coarser, so that events seldom change it. */
  columns?: RawBuilder<unknown>[];
  join?: RawBuilder<unknown>;
  project?: RawBuilder<unknown>;
  /** The column with the group's id, if the index has it after `columns`. Without it, rows of equal value are read in no order. */
  indexedId?: RawBuilder<unknown>;
  only?: RawBuilder<unknown>;
  /** The first of `columns` of a row with this value, so that the index skips the pages before a cursor. */
  coarse?: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The lowest and the highest possible value of the first of `columns`. */
  ends?: [lowest: RawBuilder<unknown>, highest: RawBuilder<unknown>];
};

const TIMES: Ranking["ends"] = [sql`'-infinity'::timestamptz`, sql`'infinity'::timestamptz`];

const RANKINGS: Record<ErrorGroupSort, Ranking> = {
  last_seen: {
    value: microseconds("g.last_seen_at"),
    columns: [sql`g.last_seen_span`, sql`g.last_seen_at`],
    coarse: (value) =>
      sql`date_bin('10 minutes', timestamptz 'epoch' + ${value} * interval '1 microsecond', 'epoch')`,
    ends: TIMES,
  },
  first_seen: {
    value: microseconds("g.first_seen_at"),
    columns: [sql`g.first_seen_at`],
    // Exact, unlike a multiplication of an interval.
    coarse: (value) => sql`timestamptz 'epoch' + (${value}::text || ' microseconds')::interval`,
    ends: TIMES,
  },
  events: {
    value: sql`g.occurrence_count`,
    columns: [sql`g.events_magnitude`, sql`g.occurrence_count`],
    coarse: (value) => sql`floor(2 * ln(greatest(${value}::bigint, 1)::double precision))::smallint`,
    ends: [sql`'-32768'::smallint`, sql`32767::smallint`],
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
    // A condition on only one of the tables: with one on each, PostgreSQL would expect hardly any row to meet both.
    project: sql`c.project_id`,
    indexedId: sql`c.group_id`,
    coarse: (value) => sql`${value}::bigint`,
    ends: [sql`0`, sql`2147483647`],
  },
  impact: { value: IMPACT, only: HAS_IMPACT },
};

export function listOrder(sort: ErrorGroupSort, way: "asc" | "desc", cursor: string | undefined): ListOrder {
  return orderBy(RANKINGS[sort], way, cursor);
}

/**
 * A faster query for the same rows, which leaves out groups with the value 0: valid only if all rows of the page are above
 * it. Undefined if the sort has none.
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
  const { value, columns = [value], join = sql``, only = sql``, coarse, ends, indexedId } = ranking;
  const project = ranking.project ?? sql`g.project_id`;
  const direction = way === "asc" ? sql`asc` : sql`desc`;
  const indexed = sql.join([...columns, sql`g.id`].map((column) => sql`${column} ${direction}`));
  const [beyond, from, upTo] = way === "asc" ? [sql`>`, sql`>=`, sql`<=`] : [sql`<`, sql`<=`, sql`>=`];
  const end = ends?.[way === "asc" ? 1 : 0];
  const notAfter: ListOrder["notAfter"] =
    coarse && end
      ? (bound, id) => {
          const first = sql`(
            select case when value is null then ${end} else ${coarse(sql`value`)} end from (select ${bound} as value) bound)`;
          return indexedId
            ? sql`(${columns[0]}, ${indexedId}) ${upTo} (${first}, coalesce(${id}, 0))`
            : sql`${columns[0]} ${upTo} ${first}`;
        }
      : undefined;
  const order = { value, direction, indexed, join, project, notAfter };
  if (cursor === undefined) return { ...order, after: only };
  const last = readCursor(cursor);
  const within = coarse ? sql`and ${columns[0]} ${from} ${coarse(sql`${last.value}::bigint`)}` : sql``;
  return {
    ...order,
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
