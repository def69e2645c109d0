import { sql, type RawBuilder } from "kysely";
import type { ErrorGroupSort } from "../../../shared/error-groups.ts";
import { invalid } from "../../answers/errors.ts";

/** The order of a list of groups `g`: by a whole number, then by id. A cursor is the number and id of a page's last row. */
export type ListOrder = {
  value: RawBuilder<number>;
  direction: RawBuilder<unknown>;
  /** What the groups of one project are sorted by: the same order, in a form that an index can provide. */
  indexed: RawBuilder<unknown>;
  /** The condition for the rows after the cursor. */
  after: RawBuilder<unknown>;
};

const DAY = sql`now() - interval '24 hours'`;

/** More than any score, so that new and regressed groups come before old ones. */
const FRESH = sql.lit(1_000_000_000_000);

/**
 * Users of the last 24 hours times ten, plus its events. Events are counted by UTC day, so those of yesterday count by the
 * part of the last 24 hours that belongs to it.
 */
const IMPACT = sql<number>`(
  case when g.last_seen_at <= ${DAY} then 0 else
    case when g.first_seen_at > ${DAY} or g.regressed_at > ${DAY} then ${FRESH} else 0 end
    + 10 * (select count(*) from error_group_users u where u.group_id = g.id and u.last_seen_at > ${DAY})
    + (select round(case when today.is then g.daily_counts[1] + g.daily_counts[2] * today.rest
        else g.daily_counts[1] * today.rest end)
      from (select (g.last_seen_at at time zone 'UTC')::date = (now() at time zone 'UTC')::date as is,
        1 - extract(epoch from (now() at time zone 'UTC')::time) / 86400 as rest) today)
  end)::bigint`;

const microseconds = (column: string) =>
  sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`;

const VALUES: Record<ErrorGroupSort, RawBuilder<number>> = {
  last_seen: microseconds("g.last_seen_at"),
  first_seen: microseconds("g.first_seen_at"),
  events: sql`g.occurrence_count`,
  users: sql`coalesce((select c.users from error_group_counts c where c.group_id = g.id), 0)::bigint`,
  impact: IMPACT,
};

export function listOrder(sort: ErrorGroupSort, way: "asc" | "desc", cursor: string | undefined): ListOrder {
  const value = VALUES[sort];
  const direction = way === "asc" ? sql`asc` : sql`desc`;
  const columns = {
    last_seen: [sql`g.last_seen_span`, sql`g.last_seen_at`],
    first_seen: [sql`g.first_seen_at`],
  }[sort as string] ?? [value];
  const indexed = sql.join([...columns, sql`g.id`].map((column) => sql`${column} ${direction}`));
  if (cursor === undefined) return { value, direction, indexed, after: sql`` };
  const last = readCursor(cursor);
  const beyond = way === "asc" ? sql`>` : sql`<`;
  return {
    value,
    direction,
    indexed,
    after: sql`and (${value}, g.id) ${beyond} (${last.value}::bigint, ${last.id}::bigint)
      ${sort === "last_seen" ? withinSpan(way, last.value) : sql``}`,
  };
}

/** Lets the index skip the pages before. */
const withinSpan = (way: "asc" | "desc", value: number) =>
  sql`and g.last_seen_span ${way === "asc" ? sql`>=` : sql`<=`}
    date_bin('10 minutes', timestamptz 'epoch' + ${value} * interval '1 microsecond', 'epoch')`;

export const cursorOf = (value: number, id: number) => Buffer.from(`${value} ${id}`).toString("base64url");

function readCursor(cursor: string): { value: number; id: number } {
  const [, value, id] =
    /^(\d{1,16}) (\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (value === undefined || !Number.isSafeInteger(Number(value)) || !Number.isSafeInteger(Number(id)))
    throw invalid({ cursor: ["is not a cursor of this list"] });
  return { value: Number(value), id: Number(id) };
}
