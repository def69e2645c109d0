import { sql, type RawBuilder } from "kysely";
import { OPEN } from "../../../shared/error-groups.ts";
import { firstOfProjects } from "../../access/first-of-projects.ts";
import type { Db } from "../../db/connect.ts";
import { filterConditions } from "./filter-conditions.ts";
import type { ListOrder } from "./list-order.ts";
import { readRows, type PageFilters, type PageOptions, type PageRow } from "./select-page.ts";
import { hasTag } from "./tagged-groups.ts";

/** How many groups per row of the page are searched, first and then. */
const WINDOWS = [16, 160];
/** Searching more takes as long as walking through each project. */
const MAX_WINDOW = 20_000;

/** Few groups may match these, so that a window would have all groups of the projects. */
const NARROWING = [
  "environment",
  "release",
  "query",
  "assignee_id",
  "level",
  "regressed",
  "first_release",
] as const satisfies (keyof PageFilters)[];

/** Whether few groups may match the filters. */
export const isNarrow = ({ status = OPEN, ...filters }: PageFilters): boolean =>
  status !== OPEN || NARROWING.some((filter) => filters[filter] !== undefined);

/**
 * Looks for the page of a common tag among the first groups of all projects. Walking through each project until it contributes
 * its share would read hundreds of times as many groups. A full page is exact, because no other group comes before its
 * last one. Undefined if the page is not full, or if no index provides the order.
 */
export async function taggedAmongFirst(
  db: Db,
  projectIds: number[],
  order: ListOrder,
  options: PageOptions & { tag: string },
): Promise<PageRow[] | undefined> {
  const { notAfter } = order;
  const oneMore = options.filters.limit + 1;
  if (projectIds.length < 2 || !notAfter || order.first || isNarrow(options.filters)) return undefined;
  for (const window of WINDOWS.map((perRow) => perRow * oneMore).filter((size) => size <= MAX_WINDOW)) {
    const rows = await readRows(
      db,
      order,
      among(window, projectIds, { ...order, notAfter }, options),
      options.retentionDays,
    );
    if (rows.length === oneMore) return rows;
  }
  return undefined;
}

function among(
  window: number,
  projectIds: number[],
  order: ListOrder,
  { filters, tag, condition, callerId, retentionDays }: PageOptions & { tag: string },
): RawBuilder<unknown> {
  const searched = firstOfProjects({
    ...order,
    projectIds,
    rowsWhere: (ofProject) => sql`
      select g.id, g.project_id, g.last_seen_at, ${order.value} as sort_value from error_groups g ${order.join}
      where ${ofProject} ${filterConditions(filters, callerId)} ${order.after}
      order by ${order.indexed}`,
    limit: window,
  });
  return sql`
    select g.*, found.sort_value from (
      select * from (${searched}) g where ${hasTag(tag, retentionDays)} ${condition} limit ${filters.limit + 1}
    ) found join error_groups g on g.id = found.id`;
}
