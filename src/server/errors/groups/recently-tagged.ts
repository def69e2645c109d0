import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { seenAfter } from "./groups-to-index.ts";
import { listOrder, readCursor } from "./list-order.ts";
import { selectPage, type PageFilters, type PageRow } from "./select-page.ts";
import { hashOfTag, TAGS_SINCE } from "./tag-index.ts";
import { TAG_PERIOD, TAG_TIMES_SINCE } from "./tag-times.ts";
import { areAmong } from "./tagged-groups.ts";
import { isNarrow } from "./tagged-page.ts";

/** How many groups with the tag are searched per row of the page, first and then. */
const WINDOWS = [2, 16];

/** Searching more groups takes longer than the ways that also work for common tags. */
const MAX_WINDOW = 2_500;

type Options = { filters: PageFilters; callerId: number; retentionDays: number };

/**
 * Looks for the page among the groups with the tag that were seen most recently, without reading the others. A full page is exact
 * if its last group was seen after all others. Undefined if no page is found, if the projects have a small part of all groups,
 * or if the list has another order or a filter that few groups may match.
 */
export async function recentlyTagged(
  db: Db,
  projectIds: number[],
  options: Options,
): Promise<PageRow[] | undefined> {
  const { sort = "last_seen", direction = "desc", tag, ids, cursor, limit } = options.filters;
  const isByTime = sort === "last_seen" && direction === "desc";
  const isEligible = isByTime && !ids && !isNarrow(options.filters) && projectIds.length > 0;
  if (tag === undefined || !isEligible) return undefined;
  const order = listOrder(sort, direction, cursor);
  const share = await shareOf(db, projectIds);
  for (const perRow of WINDOWS) {
    const size = Math.ceil((perRow * (limit + 1)) / share);
    const window = size > MAX_WINDOW ? undefined : await findWindow(db, projectIds, { tag, cursor, size });
    if (!window || window.ids.length > MAX_WINDOW) return undefined;
    const rows = await selectPage(db, projectIds, order, { ...options, ...areAmong(window.ids) });
    const last = rows[limit];
    if (window.others_before === null || (last && last.sort_value >= window.others_before)) return rows;
  }
  return undefined;
}

/** The projects' share of all groups, if these are spread evenly. */
async function shareOf(db: Db, projectIds: number[]): Promise<number> {
  const { rows } = await sql<{ projects: number }>`
    select count(*) as projects from projects where deleted_at is null`.execute(db);
  return projectIds.length / Math.max(projectIds.length, rows[0]?.projects ?? 0);
}

type Window = {
  /** All groups that may have the tag and were seen at or after `others_before`, and possibly a few more. */
  ids: number[];
  /** Microseconds. Null if there are no other groups with the tag. */
  others_before: number | null;
};

/**
 * Finds a window of about this number of groups after the cursor. Undefined if it would have too many, or if the jobs that index
 * tags have not run yet.
 */
async function findWindow(
  db: Db,
  projectIds: number[],
  { tag, cursor, size }: { tag: string; cursor: string | undefined; size: number },
): Promise<Window | undefined> {
  const tagged = sql`error_group_tags where tag_hash = ${hashOfTag(sql`${tag}::text`)}`;
  const last = cursor === undefined ? undefined : readCursor(cursor).value;
  const isAfterCursor =
    last === undefined
      ? sql``
      : sql`and seen_before <= timestamptz 'epoch' + ${last} * interval '1 microsecond' + ${TAG_PERIOD}`;
  const tooMany = MAX_WINDOW + 1;
  const { rows } = await sql<Window>`
    with jobs as materialized (
      select least(${TAGS_SINCE}, ${TAG_TIMES_SINCE}) as since
    ),
    first_other as materialized (
      select (
        select seen_before from ${tagged} ${isAfterCursor}
        order by seen_before desc offset ${size} limit 1) as seen_before
      from jobs where jobs.since > '-infinity'
    ),
    -- The window has all groups with the same time as its last one.
    others as materialized (
      select coalesce((select max(seen_before) from ${tagged} and seen_before < f.seen_before), '-infinity') as before
      from first_other f
    )
    select (extract(epoch from nullif(others.before, '-infinity')) * 1000000)::bigint as others_before, array(
      (select group_id from ${tagged} and seen_before > others.before order by seen_before desc limit ${tooMany})
      union all
      (select recent.id from unnest(${projectIds}::bigint[]) p (id) cross join lateral (
        -- With a limit, PostgreSQL uses the index of each project instead of reading all groups.
        select g.id from error_groups g
        where g.project_id = p.id and ${seenAfter(sql`(select since from jobs)`)} limit ${tooMany}
      ) recent limit ${tooMany})) as ids
    -- Counted first, because this reads only the index.
    from others where (
      select count(*) from (select from ${tagged} and seen_before > others.before limit ${tooMany}) counted
    ) <= ${MAX_WINDOW}`.execute(db);
  return rows[0];
}
