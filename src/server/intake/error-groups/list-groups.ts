import { sql, type RawBuilder } from "kysely";
import type { ErrorGroupFilters, ErrorGroupList } from "../../../shared/error-groups.ts";
import { projectsReadable } from "../../access/readable-kinds.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import { type FewGroups, freshGroups } from "./impact.ts";
import { listItem } from "./list-items.ts";
import { cursorOf, listOrder, quickListOrder, type ListOrder } from "./list-order.ts";
import { rankedGroups } from "./ranked-groups.ts";
import { selectPage, type PageFilters, type PageRow } from "./select-page.ts";
import { mayHaveTag } from "./tagged-groups.ts";
import { fewWithText } from "./worded-groups.ts";

/** The project's groups, most recently seen first. */
export function listErrorGroups(
  db: Db,
  projectId: number,
  callerId: number,
  filters: PageFilters,
  retentionDays: number,
): Promise<ErrorGroupList> {
  return list(db, [projectId], callerId, filters, retentionDays);
}

/** The groups of every project where the caller may read them. */
export async function listAllErrorGroups(
  db: Db,
  caller: Caller,
  filters: ErrorGroupFilters,
  retentionDays: number,
): Promise<ErrorGroupList> {
  const projects = projectsReadable(caller, "error_group");
  const only = filters.project_id === undefined ? sql`` : sql`where id = ${filters.project_id}`;
  // Read the ids first, so that PostgreSQL knows their number when it plans the list.
  const { rows } = await sql<{ id: number }>`select id from (${projects}) permitted ${only}`.execute(db);
  const projectIds = rows.map(({ id }) => id);
  return list(db, projectIds, caller.user_id, filters, retentionDays);
}

async function list(
  db: Db,
  projectIds: number[],
  callerId: number,
  filters: PageFilters,
  retentionDays: number,
): Promise<ErrorGroupList> {
  const { tag, query, ids, limit } = filters;
  const tagged = tag === undefined ? undefined : await mayHaveTag(db, projectsOf(projectIds), tag);
  const worded = query === undefined ? undefined : await fewWithText(db, projectIds, query);
  const areNamed = ids !== undefined || worded !== undefined || tagged?.areNamed === true;
  const withText = worded ? sql`and g.id = any(${worded}::bigint[])` : sql``;
  const rows = await readPage(db, projectIds, filters, (order, among = sql``) => {
    const also = sql`${tagged?.condition ?? sql``} ${withText} ${among}`;
    return selectPage(db, projectIds, order, { filters, also, areNamed, callerId, retentionDays });
  });
  const listed = rows.slice(0, limit).map(({ sort_value, ...row }) => ({ sort_value, item: listItem(row) }));
  const truncated = rows.length > limit;
  const end = listed.at(-1);
  const next_cursor = truncated && end ? cursorOf(end.sort_value, end.item.id) : null;
  const meta = { truncated, count: listed.length, limit, next_cursor };
  return { data: listed.map(({ item }) => item), meta };
}

/** Selects the rows of the page in this order, from the groups with the condition. */
type SelectRows = (order: ListOrder, among?: RawBuilder<unknown>) => Promise<PageRow[]>;

/**
 * Reads the page in the quickest way that finds all of it. The quick ways leave out groups with the value 0, and the first
 * of them look only among a few groups.
 */
async function readPage(
  db: Db,
  projectIds: number[],
  filters: PageFilters,
  select: SelectRows,
): Promise<PageRow[]> {
  const { sort = "last_seen", direction = "desc", cursor, limit } = filters;
  const quick = quickListOrder(sort, direction, cursor);
  const isComplete = (rows: PageRow[]) => rows.length > limit && (rows.at(-1)?.sort_value ?? 0) > 0;
  if (quick) {
    for (const findFew of sort === "impact" ? waysToFew(projectIds, filters) : []) {
      const few = await findFew(db);
      const rows = few ? await select(quick, few.condition) : [];
      const last = rows.at(-1);
      if (last && few?.isFirst(last) && isComplete(rows)) return rows;
    }
    const rows = await select(quick);
    if (isComplete(rows)) return rows;
  }
  return select(listOrder(sort, direction, cursor));
}

/** Ways to find a few groups among which a page by impact may be. */
function waysToFew(
  projectIds: number[],
  { limit, tag, cursor }: PageFilters,
): ((db: Db) => Promise<FewGroups | undefined>)[] {
  const hasRanking = tag === undefined && cursor === undefined;
  return [
    ...(projectIds.length > 1 ? [(db: Db) => freshGroups(db, projectIds, limit)] : []),
    ...(hasRanking ? [(db: Db) => rankedGroups(db, projectIds)] : []),
  ];
}

const projectsOf = (ids: number[]) => sql`select unnest(${ids}::bigint[]) as id`;
