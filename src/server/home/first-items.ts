import { sql, type RawBuilder } from "kysely";

const MAX_ITEMS = 5;

type Pending = {
  projectIds: number[];
  table: RawBuilder<unknown>;
  isPending: RawBuilder<unknown>;
  /** Rows in which it is null are left out. An index of the pending rows by project and this column is needed. */
  time: RawBuilder<unknown>;
  direction: "asc" | "desc";
};

/**
 * Selects the first pending rows of all projects together. Reads the first time of each project from the index, and rows only of
 * the projects whose first time is among the first five. Reading a row of each of a thousand projects takes two to six times as long.
 */
export function firstItems({ projectIds, table, isPending, time, direction }: Pending): RawBuilder<unknown> {
  const order = sql.raw(direction);
  const first = direction === "asc" ? sql`min` : sql`max`;
  const notAfter = direction === "asc" ? sql`<=` : sql`>=`;
  const never = direction === "asc" ? sql`'infinity'` : sql`'-infinity'`;
  return sql`
    with first as materialized (
      select p.id, (select ${first}(${time}) from ${table} where project_id = p.id and ${isPending}) as time
      from unnest(${projectIds}::bigint[]) p (id)
    ),
    last as materialized (
      select coalesce((
        select time from first where time is not null order by time ${order} offset ${MAX_ITEMS - 1} limit 1), ${never}) as time
    )
    select item.* from first join last on first.time ${notAfter} last.time
    cross join lateral (
      select * from ${table} where project_id = first.id and ${isPending} and ${time} ${notAfter} last.time
      order by ${time} ${order}, id ${order} limit ${MAX_ITEMS}
    ) item
    order by ${time} ${order}, id ${order} limit ${MAX_ITEMS}`;
}
