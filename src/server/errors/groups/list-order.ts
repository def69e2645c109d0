import { sql, type RawBuilder } from "kysely";
import type { ErrorGroupSort } from "../../../shared/error-groups.ts";
import { invalid } from "../../answers/errors.ts";
import { firstByImpact, HAS_IMPACT, IMPACT } from "./impact.ts";

/** The order of a list of groups `g`: by an integer, then by id. A cursor contains both values of a page's last row. */
export type ListOrder = {
  value: RawBuilder<number>;
  direction: RawBuilder<unknown>;
  /** The terms of `order by` for the groups of one project: the same order in a form that an index provides. */
  indexed: RawBuilder<unknown>;
  /** Joins the other tables that `value` and `indexed` read. */
  join: RawBuilder<unknown>;
  /** The project column of the table whose index provides the order. */
  project: RawBuilder<unknown>;
  /** The condition for the rows after the cursor. */
  after: RawBuilder<unknown>;
  /** If an index provides the order: the condition for the rows up to this value and id, and possibly a few more. */
  notAfter: ((value: RawBuilder<unknown>, id: RawBuilder<unknown>) => RawBuilder<unknown>) | undefined;
  /** A faster way to select the first rows that match the condition, if there is one. */
  first?: (where: RawBuilder<unknown>, limit: number) => RawBuilder<unknown>;
};

const microseconds = (column: string) =>
  sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`;

type Ranking = {
  value: RawBuilder<number>;
  /** Indexed columns in the order of `value`. If there are two, the first one is coarser, so that events rarely change it. */
  columns?: RawBuilder<unknown>[];
  join?: RawBuilder<unknown>;
  project?: RawBuilder<unknown>;
  /** The group's id column, if the index has it after `columns`. Otherwise rows with equal values are in no order. */
  indexedId?: RawBuilder<unknown>;
  only?: RawBuilder<unknown>;
  /** Computes the first of `columns` from `value`, so that an index scan can skip the pages before a cursor. */
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
    // Exact, unlike multiplying an interval.
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

/** Faster orders, which leave out groups whose value is 0. */
const QUICK: Partial<Record<ErrorGroupSort, Ranking>> = {
  users: {
    value: sql`c.users::bigint`,
    columns: [sql`c.users`],
    join: sql`join error_group_counts c on c.group_id = g.id`,
    // Only one of the tables has the condition. With one on each, PostgreSQL would expect hardly any matching rows.
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
 * An order that is faster to read but leaves out groups whose value is 0, so a page is valid only if the values of all its
 * rows are above 0. Undefined if the sort has none.
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

/** The value and id of the last row before the page. Throws 422 if it is no cursor. */
export function readCursor(cursor: string): { value: number; id: number } {
  const [, value, id] =
    /^(\d{1,16}) (\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (value === undefined || !Number.isSafeInteger(Number(value)) || !Number.isSafeInteger(Number(id)))
    throw invalid({ cursor: ["is not a cursor of this list"] });
  return { value: Number(value), id: Number(id) };
}
