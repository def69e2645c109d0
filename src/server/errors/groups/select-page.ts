import { sql, type RawBuilder } from "kysely";
import type { ErrorGroupFilters } from "../../../shared/error-groups.ts";
import { firstOfProjects } from "../../access/first-of-projects.ts";
import type { Db } from "../../db/connect.ts";
import { filterConditions } from "./filter-conditions.ts";
import { listColumns, type ListRow } from "./list-items.ts";
import type { ListOrder } from "./list-order.ts";
import { hasTag } from "./tagged-groups.ts";

export type PageFilters = Omit<ErrorGroupFilters, "project_id">;

export type PageRow = ListRow & { sort_value: number };

export type PageOptions = {
  filters: PageFilters;
  /** Besides the filters: leaves out groups that do not match them anyway, or that come after the page. */
  condition: RawBuilder<unknown>;
  /** Whether a condition lists the ids of the groups, which are then few. */
  areListed: boolean;
  callerId: number;
  retentionDays: number;
};

/**
 * Selects the first groups of each project, by index if possible, and then the first of all projects: the rows of the page,
 * and one more if there is another page.
 */
export async function selectPage(
  db: Db,
  projectIds: number[],
  order: ListOrder,
  { filters, condition, areListed, callerId, retentionDays }: PageOptions,
): Promise<PageRow[]> {
  const oneMore = filters.limit + 1;
  const conditions = sql`${filterConditions(filters, callerId)} ${condition}`;
  const ordered = (ofProject: RawBuilder<unknown>) => sql`
    select g.*, ${order.value} as sort_value from error_groups g ${order.join}
    where ${ofProject} ${conditions} ${order.after}
    order by ${order.indexed}`;
  // With `offset 0`, PostgreSQL sorts first and reads kept events only until the page is full.
  const matching = (ofProject: RawBuilder<unknown>) =>
    filters.tag
      ? sql`select * from (${ordered(ofProject)} offset 0) g where ${hasTag(filters.tag, retentionDays)}`
      : ordered(ofProject);
  const { first, notAfter, direction } = order;
  const page = first
    ? first(sql`g.project_id = any(${projectIds}::bigint[]) ${conditions}`, oneMore)
    : firstOfProjects({
        projectIds,
        rowsWhere: matching,
        project: order.project,
        notAfter: areListed ? undefined : notAfter,
        direction,
        limit: oneMore,
      });
  return readRows(db, order, page, retentionDays);
}

/** The rows of a page of groups with their `sort_value`. */
export async function readRows(
  db: Db,
  order: ListOrder,
  page: RawBuilder<unknown>,
  retentionDays: number,
): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    select ${listColumns(retentionDays)}, g.sort_value from (${page}) g
    order by g.sort_value ${order.direction}, g.id ${order.direction}`.execute(db);
  return rows;
}
