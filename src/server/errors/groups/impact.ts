import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/connect.ts";

/** Not a subquery, so that PostgreSQL can estimate how many groups were seen since then. */
const DAY_AGO = sql`now() - interval '24 hours'`;

/** A subquery, which PostgreSQL computes once instead of for every group. */
const DAY = sql`(select now() - interval '24 hours')`;

/** More than any score, so that new and regressed groups come before old ones. */
const MIN_FRESH_SCORE = 1_000_000_000_000;
const FRESH = sql.lit(MIN_FRESH_SCORE);

const TODAY = sql`(select date_trunc('day', now(), 'UTC'))`;
// Numbers of type numeric would take several times as long.
const REST_OF_YESTERDAY = sql`(select (1 - extract(epoch from (now() at time zone 'UTC')::time) / 86400)::double precision)`;

/** The score of a group `g` that was seen in the last 24 hours, without its users. */
const EVENTS = sql`(
  case when g.first_seen_at > ${DAY} or g.regressed_at > ${DAY} then ${FRESH} else 0 end
  + round(case when g.last_seen_at >= ${TODAY} then g.daily_counts[1] + g.daily_counts[2] * ${REST_OF_YESTERDAY}
      else g.daily_counts[1] * ${REST_OF_YESTERDAY} end))::bigint`;

const usersOf = (group: RawBuilder<unknown>) =>
  sql`(select count(*) from error_group_users u where u.group_id = ${group} and u.last_seen_at > ${DAY})`;

/**
 * The group's users of the last 24 hours times ten, plus its events. Events are counted by UTC day, so yesterday's count in
 * proportion to the part of yesterday that is within the last 24 hours.
 */
export const IMPACT = sql<number>`(
  case when g.last_seen_at <= ${DAY} then 0 else ${EVENTS} + 10 * ${usersOf(sql`g.id`)} end)`;

/** Groups of the last 24 hours and up to 20 minutes more. Reads only the index. */
export const IN_A_DAY = sql`g.last_seen_span > ${DAY_AGO} - interval '10 minutes'`;

/** Excludes groups with impact 0. */
export const HAS_IMPACT = sql`and ${IN_A_DAY} and g.last_seen_at > ${DAY_AGO}`;

/** Up to this number of fresh groups, reading only them is faster than reading all groups of the last 24 hours. */
const MAX_FRESH_GROUPS = 20_000;

/** A limited set of groups that may contain all rows of a page by impact. */
export type CandidateGroups = {
  /** The condition on groups `g` that selects them. */
  condition: RawBuilder<unknown>;
  /** Whether the set contains every group that comes before this row. */
  isComplete: (row: { sort_value: number; id: number }) => boolean;
};

/**
 * The projects' groups that are new or have regressed within the last 24 hours, which come before all others. Undefined if
 * they do not fill a page, or are too many.
 */
export async function freshGroups(
  db: Db,
  projectIds: number[],
  limit: number,
): Promise<CandidateGroups | undefined> {
  const { rows } = await sql<{ id: number }>`
    select fresh.id from unnest(${projectIds}::bigint[]) p (id) cross join lateral (
      select g.id from error_groups g where g.project_id = p.id and g.first_seen_at > ${DAY_AGO}
      union all
      select g.id from error_groups g where g.project_id = p.id and g.regressed_at > ${DAY_AGO}
    ) fresh limit ${MAX_FRESH_GROUPS + 1}`.execute(db);
  if (rows.length <= limit || rows.length > MAX_FRESH_GROUPS) return undefined;
  return {
    condition: sql`and g.id = any(${rows.map(({ id }) => id)}::bigint[])`,
    isComplete: ({ sort_value }) => sort_value >= MIN_FRESH_SCORE,
  };
}

type ImpactPage = {
  /** The conditions on groups `g`. */
  where: RawBuilder<unknown>;
  /** The last row of the previous page. */
  last: { value: number; id: number } | undefined;
  limit: number;
};

/**
 * Selects the first groups by impact, which is their `sort_value`. Counting a group's users of the last 24 hours is
 * expensive, so `most`, an upper bound, counts all users that it ever had. The groups with the highest bounds are scored
 * exactly first. Their scores give the minimum for the page, and only other groups whose bound reaches it are scored, too.
 */
export function firstByImpact({ where, last, limit }: ImpactPage): RawBuilder<unknown> {
  const isAfter = last ? sql`(value, id) < (${last.value}::bigint, ${last.id}::bigint)` : sql`true`;
  const mayBeAfter = last ? sql`and ${EVENTS} <= ${last.value}::bigint` : sql``;
  return sql`
    select g.*, page.value as sort_value from (
      with possible as materialized (
        select id, events, users, events + 10 * users as most, all_counted
        from (
          select g.id, ${EVENTS} as events, coalesce(c.users, 0) as users,
            coalesce(c.users_seen_since > ${DAY}, true) as all_counted
          from error_groups g left join error_group_counts c on c.group_id = g.id
          where ${where} ${HAS_IMPACT} ${mayBeAfter}
          -- Keeps PostgreSQL from computing the events more than once.
          offset 0
        ) scored
      ),
      likely as materialized (
        select id, ${valueOf("first")} as value
        from (select * from possible order by most desc, id desc limit ${limit}) first
      ),
      least as materialized (
        select value from likely where ${isAfter} order by value desc offset ${limit - 1} limit 1
      )
      select id, value from (
        select id, value from likely
        union all
        select id, ${valueOf("possible")} from possible
        where most >= coalesce((select value from least), 0) and id not in (select id from likely)
      ) counted
      where ${isAfter} order by value desc, id desc limit ${limit}
    ) page join error_groups g on g.id = page.id
    order by page.value desc, g.id desc`;
}

/** The exact score of a row of `possible`. If all users were seen in the last 24 hours, their stored number is exact. */
const valueOf = (row: string) => sql`
  ${sql.ref(`${row}.events`)} + 10 * case when ${sql.ref(`${row}.all_counted`)}
    then ${sql.ref(`${row}.users`)} else ${usersOf(sql.ref(`${row}.id`))} end`;
