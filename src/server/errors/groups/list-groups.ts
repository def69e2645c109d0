import { sql, type RawBuilder } from "kysely";
import type { ErrorGroupFilters, ErrorGroupList } from "../../../shared/error-groups.ts";
import { projectsReadable } from "../../access/readable-kinds.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import { groupsWithText } from "./groups-with-text.ts";
import { type CandidateGroups, freshGroups } from "./impact.ts";
import { listItem } from "./list-items.ts";
import { cursorOf, listOrder, quickListOrder, type ListOrder } from "./list-order.ts";
import { rankedGroups } from "./ranked-groups.ts";
import { recentlyTagged } from "./recently-tagged.ts";
import { selectPage, type PageFilters, type PageRow } from "./select-page.ts";
import { mayHaveTag } from "./tagged-groups.ts";
import { taggedAmongFirst } from "./tagged-page.ts";
import type { ErrorDb } from "./error-db.ts";

/** The project's groups, most recently seen first. */
export function listErrorGroups(
  errorDb: ErrorDb,
  projectId: number,
  callerId: number,
  filters: PageFilters,
): Promise<ErrorGroupList> {
  return list(errorDb, [projectId], callerId, filters);
}

/** The groups of every project where the caller may read them. */
export async function listAllErrorGroups(
  errorDb: ErrorDb,
  caller: Caller,
  filters: ErrorGroupFilters,
): Promise<ErrorGroupList> {
  const projects = projectsReadable(caller, "error_group");
  const only = filters.project_id === undefined ? sql`` : sql`where id = ${filters.project_id}`;
  // Read the ids first, so that PostgreSQL knows their number when it plans the list.
  const { rows } = await sql<{ id: number }>`select id from (${projects}) permitted ${only}`.execute(
    errorDb.db,
  );
  const projectIds = rows.map(({ id }) => id);
  return list(errorDb, projectIds, caller.user_id, filters);
}

async function list(
  errorDb: ErrorDb,
  projectIds: number[],
  callerId: number,
  filters: PageFilters,
): Promise<ErrorGroupList> {
  const { db, retentionDays } = errorDb;
  const { limit } = filters;
  const rows =
    (await recentlyTagged(db, projectIds, { filters, callerId, retentionDays })) ??
    (await readMatching(errorDb, projectIds, callerId, filters));
  const listed = rows.slice(0, limit).map(({ sort_value, ...row }) => ({ sort_value, item: listItem(row) }));
  const truncated = rows.length > limit;
  const end = listed.at(-1);
  const next_cursor = truncated && end ? cursorOf(end.sort_value, end.item.id) : null;
  const meta = { truncated, count: listed.length, limit, next_cursor };
  return { data: listed.map(({ item }) => item), meta };
}

/** The rows of the page, and one more if there is another page. */
async function readMatching(
  { db, retentionDays }: ErrorDb,
  projectIds: number[],
  callerId: number,
  filters: PageFilters,
): Promise<PageRow[]> {
  const { tag, query, ids } = filters;
  const tagged = tag === undefined ? undefined : await mayHaveTag(db, projectsOf(projectIds), tag);
  const found = query === undefined ? undefined : await groupsWithText(db, projectIds, query);
  const areListed = ids !== undefined || found !== undefined || tagged?.areListed === true;
  const isWithText = found ? sql`and g.id = any(${found}::bigint[])` : sql``;
  return readPage(db, projectIds, filters, async (order, among = sql``) => {
    const condition = sql`${tagged?.condition ?? sql``} ${isWithText} ${among}`;
    const options = { filters, condition, areListed, callerId, retentionDays };
    const first =
      tag && !areListed ? await taggedAmongFirst(db, projectIds, order, { ...options, tag }) : undefined;
    return first ?? selectPage(db, projectIds, order, options);
  });
}

/** Selects the rows of the page in this order, from the groups with the condition. */
type SelectRows = (order: ListOrder, among?: RawBuilder<unknown>) => Promise<PageRow[]>;

/**
 * Reads the page in the fastest way that finds all of its rows. The faster ways leave out groups whose value is 0, and the first
 * ones read only a limited set of groups.
 */
async function readPage(
  db: Db,
  projectIds: number[],
  filters: PageFilters,
  select: SelectRows,
): Promise<PageRow[]> {
  const { sort = "last_seen", direction = "desc", cursor, limit } = filters;
  const quick = quickListOrder(sort, direction, cursor);
  const isFull = (rows: PageRow[]) => rows.length > limit && (rows.at(-1)?.sort_value ?? 0) > 0;
  if (quick) {
    for (const findCandidates of sort === "impact" ? candidateSources(projectIds, filters) : []) {
      const candidates = await findCandidates(db);
      const rows = candidates ? await select(quick, candidates.condition) : [];
      const last = rows.at(-1);
      if (last && candidates?.isComplete(last) && isFull(rows)) return rows;
    }
    const rows = await select(quick);
    if (isFull(rows)) return rows;
  }
  return select(listOrder(sort, direction, cursor));
}

/** The functions to try for finding candidates for a page by impact. */
function candidateSources(
  projectIds: number[],
  { limit, tag, cursor }: PageFilters,
): ((db: Db) => Promise<CandidateGroups | undefined>)[] {
  const hasRanking = tag === undefined && cursor === undefined;
  return [
    ...(projectIds.length > 1 ? [(db: Db) => freshGroups(db, projectIds, limit)] : []),
    ...(hasRanking ? [(db: Db) => rankedGroups(db, projectIds)] : []),
  ];
}

const projectsOf = (ids: number[]) => sql`select unnest(${ids}::bigint[]) as id`;
