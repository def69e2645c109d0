import { sql, type RawBuilder } from "kysely";
import {
  LISTED_DAYS,
  LISTED_MESSAGE,
  type ErrorGroupFilters,
  type ErrorGroupList,
  type ErrorGroupListItem,
} from "../../../shared/error-groups.ts";
import { projectsReadable } from "../../access/readable-kinds.ts";
import { firstOfProjects } from "../../access/first-of-projects.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import { affectedUsers, sharedColumns } from "./columns.ts";
import { dailyCounts, recentDays } from "./daily-counts.ts";
import { type FewGroups, freshGroups } from "./impact.ts";
import { cursorOf, listOrder, quickListOrder, type ListOrder } from "./list-order.ts";
import { rankedGroups } from "./ranked-groups.ts";
import { hasTag, mayHaveTag } from "./tagged-groups.ts";
import { withUtcOffsets } from "./utc-offset.ts";
import { fewWithText, hasText } from "./worded-groups.ts";

/** The project's groups, most recently seen first. */
export function listErrorGroups(
  db: Db,
  projectId: number,
  callerId: number,
  filters: Omit<ErrorGroupFilters, "project_id">,
  retentionDays: number,
): Promise<ErrorGroupList> {
  return list(db, [projectId], callerId, filters, retentionDays);
}

/** The groups of every project in which the caller may read them. */
export async function listAllErrorGroups(
  db: Db,
  caller: Caller,
  filters: ErrorGroupFilters,
  retentionDays: number,
): Promise<ErrorGroupList> {
  const projects = projectsReadable(caller, "error_group");
  const only = filters.project_id === undefined ? sql`` : sql`where id = ${filters.project_id}`;
  // Read first, so that PostgreSQL knows how many they are when it plans the list.
  const { rows } = await sql<{ id: number }>`select id from (${projects}) permitted ${only}`.execute(db);
  const projectIds = rows.map(({ id }) => id);
  return list(db, projectIds, caller.user_id, filters, retentionDays);
}

/** The list items of the groups with these ids, in no particular order. */
export async function readListItems(
  db: Db,
  ids: number[],
  retentionDays: number,
): Promise<ErrorGroupListItem[]> {
  const groups = sql`select * from error_groups where id = any(${ids}::bigint[])`;
  return selectListItems(db, groups, retentionDays);
}

/** The list items of the groups that the query selects, most recently seen first. */
export async function selectListItems(
  db: Db,
  groups: RawBuilder<unknown>,
  retentionDays: number,
): Promise<ErrorGroupListItem[]> {
  const { rows } = await listItemsOf(groups, retentionDays).execute(db);
  return rows.map(listItem);
}

/** Selects the first groups of each project, by index where there is one, then the first of all. */
async function list(
  db: Db,
  projectIds: number[],
  callerId: number,
  filters: Omit<ErrorGroupFilters, "project_id">,
  retentionDays: number,
): Promise<ErrorGroupList> {
  const { sort = "last_seen", direction = "desc", cursor } = filters;
  const projects = sql`select unnest(${projectIds}::bigint[]) as id`;
  const tagged = filters.tag === undefined ? undefined : await mayHaveTag(db, projects, filters.tag);
  const few = filters.query === undefined ? undefined : await fewWithText(db, projectIds, filters.query);
  const areNamed = filters.ids !== undefined || few !== undefined || tagged?.areNamed === true;
  const named = few ? sql`and g.id = any(${few}::bigint[])` : sql``;
  const select = (order: ListOrder, ranked = sql``) => {
    const also = sql`${tagged?.condition ?? sql``} ${named} ${ranked}`;
    return selectPage(db, projectIds, order, { filters, also, areNamed, callerId, retentionDays });
  };
  const quick = quickListOrder(sort, direction, cursor);
  const isComplete = (rows: Row[]) => rows.length > filters.limit && (rows.at(-1)?.sort_value ?? 0) > 0;
  let rows: Row[] = [];
  for (const findFew of sort === "impact" ? waysToFew(projectIds, filters) : []) {
    const few = quick && !isComplete(rows) ? await findFew(db) : undefined;
    if (!quick || !few) continue;
    rows = await select(quick, few.condition);
    const last = rows.at(-1);
    if (last && !few.isFirst(last)) rows = [];
  }
  if (quick && !isComplete(rows)) rows = await select(quick);
  if (!isComplete(rows)) rows = await select(listOrder(sort, direction, cursor));
  const listed = rows
    .slice(0, filters.limit)
    .map(({ sort_value, ...row }) => ({ sort_value, item: listItem(row) }));
  const truncated = rows.length > filters.limit;
  const end = listed.at(-1);
  const next_cursor = truncated && end ? cursorOf(end.sort_value, end.item.id) : null;
  const meta = { truncated, count: listed.length, limit: filters.limit, next_cursor };
  return { data: listed.map(({ item }) => item), meta };
}

/** Ways to find a few groups among which a page by impact may be. */
function waysToFew(
  projectIds: number[],
  { limit, tag, cursor }: Omit<ErrorGroupFilters, "project_id">,
): ((db: Db) => Promise<FewGroups | undefined>)[] {
  const projects = sql`select unnest(${projectIds}::bigint[]) as id`;
  return [
    ...(projectIds.length > 1 ? [(db: Db) => freshGroups(db, projectIds, limit)] : []),
    ...(tag === undefined && cursor === undefined ? [(db: Db) => rankedGroups(db, projects)] : []),
  ];
}

type PageOptions = {
  filters: Omit<ErrorGroupFilters, "project_id">;
  /** A condition besides the filters that leaves out groups which do not match anyway or come later. */
  also: RawBuilder<unknown>;
  /** Whether a condition names the groups. These are few. */
  areNamed: boolean;
  callerId: number;
  retentionDays: number;
};

/** The rows of the page, and one more if there are more. */
async function selectPage(
  db: Db,
  projectIds: number[],
  order: ListOrder,
  { filters, also, areNamed, callerId, retentionDays }: PageOptions,
): Promise<Row[]> {
  const oneMore = filters.limit + 1;
  const conditions = sql`${where(filters, callerId)} ${also}`;
  const ordered = (ofProject: RawBuilder<unknown>) => sql`
    select g.*, ${order.value} as sort_value from error_groups g ${order.join}
    where ${ofProject} ${conditions} ${order.after}
    order by ${order.indexed}`;
  // `offset 0` lets PostgreSQL read the kept events of the page's groups only, after sorting.
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
        notAfter: areNamed ? undefined : notAfter,
        direction,
        limit: oneMore,
      });
  const { rows } = await sql<Row>`
    select ${listColumns(retentionDays)}, g.sort_value from (${page}) g
    order by g.sort_value ${order.direction}, g.id ${order.direction}`.execute(db);
  return rows;
}

type Row = ListRow & { sort_value: number };
type ListRow = Omit<ErrorGroupListItem, "daily_counts"> & { recent_days: string };

function listItemsOf(groups: RawBuilder<unknown>, retentionDays: number) {
  return sql<ListRow>`
    select ${listColumns(retentionDays)} from (${groups}) g
    order by g.last_seen_at desc, g.id desc`;
}

const listColumns = (retentionDays: number) =>
  sql`${sharedColumns}, ${messageStart}, ${recentDays(LISTED_DAYS, retentionDays)}, ${affectedUsers(retentionDays)}`;

function where(filters: Omit<ErrorGroupFilters, "project_id">, callerId: number): RawBuilder<unknown> {
  const { ids, environment, release, query, status, assignee_id, level, regressed, first_release } = filters;
  return sql.join(
    [
      sql``,
      ...(ids === undefined ? [] : [sql`and g.id = any(${ids}::bigint[])`]),
      ...(environment === undefined ? [] : [sql`and g.environment = ${environment}`]),
      ...(status === undefined ? [] : [sql`and g.status = ${status}`]),
      // A literal, so that PostgreSQL can use the index of the groups whose level is not `error`.
      ...(level === undefined ? [] : [sql`and g.level = ${sql.lit(level)}`]),
      ...(regressed === undefined
        ? []
        : [
            regressed
              ? sql`and g.status = 0 and g.regressed_at is not null`
              : sql`and g.regressed_at is null`,
          ]),
      ...(first_release === undefined
        ? []
        : [
            sql`and hashtextextended(g.release, 0) = hashtextextended(${first_release}, 0)
              and g.release = ${first_release}`,
          ]),
      ...(assignee_id === undefined ? [] : [assignedTo(assignee_id === "me" ? callerId : assignee_id)]),
      ...(query === undefined ? [] : [sql`and ${hasText(query)}`]),
      ...(release === undefined
        ? []
        : [
            sql`and exists (select from error_group_releases r where r.group_id = g.id
              and r.release_hash = sha256(convert_to(${release}, 'UTF8')))`,
          ]),
    ],
    sql` `,
  );
}

const assignedTo = (userId: number | null) =>
  userId === null ? sql`and g.assignee_id is null` : sql`and g.assignee_id = ${userId}`;

function listItem({ recent_days, ...row }: ListRow): ErrorGroupListItem {
  return {
    ...withUtcOffsets(row),
    latest_message: truncateMessage(row.latest_message),
    daily_counts: dailyCounts(recent_days, LISTED_DAYS),
  };
}

/** Selects one character more than lists show, so that `truncateMessage` can tell whether the message was longer. */
const messageStart = sql`left(g.latest_message, ${sql.lit(LISTED_MESSAGE + 1)}) as latest_message`;

/** The first 500 characters, followed by an ellipsis if the message is longer. */
export function truncateMessage(message: string): string {
  if (message.length <= LISTED_MESSAGE) return message;
  const points = Array.from(message);
  return points.length > LISTED_MESSAGE ? `${points.slice(0, LISTED_MESSAGE).join("")}…` : message;
}
