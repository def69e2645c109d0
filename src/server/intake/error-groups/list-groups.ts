import { sql, type RawBuilder } from "kysely";
import {
  LISTED_DAYS,
  LISTED_MESSAGE,
  type ErrorGroupFilters,
  type ErrorGroupList,
  type ErrorGroupListItem,
} from "../../../shared/error-groups.ts";
import { projectsReadable } from "../../access/readable-kinds.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import { affectedUsers, sharedColumns } from "./columns.ts";
import { dailyCounts, recentDays } from "./daily-counts.ts";
import { withUtcOffsets } from "./utc-offset.ts";

/** The project's groups, most recently seen first. */
export function listErrorGroups(
  db: Db,
  projectId: number,
  callerId: number,
  filters: Omit<ErrorGroupFilters, "project_id">,
  retentionDays: number,
): Promise<ErrorGroupList> {
  return list(db, sql`select ${projectId}::bigint as id`, callerId, filters, retentionDays);
}

/** The groups of every project in which the caller may read them. */
export function listAllErrorGroups(
  db: Db,
  caller: Caller,
  filters: ErrorGroupFilters,
  retentionDays: number,
): Promise<ErrorGroupList> {
  const projects = projectsReadable(caller, "error_group");
  const only = filters.project_id === undefined ? sql`` : sql`where id = ${filters.project_id}`;
  return list(
    db,
    sql`select id from (${projects}) permitted ${only}`,
    caller.user_id,
    filters,
    retentionDays,
  );
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

/** Selects the newest groups of each project by index, then the newest of all, so that no project is read entirely. */
async function list(
  db: Db,
  projects: RawBuilder<unknown>,
  callerId: number,
  filters: Omit<ErrorGroupFilters, "project_id">,
  retentionDays: number,
): Promise<ErrorGroupList> {
  const oneMore = filters.limit + 1;
  const newest = sql`
    select newest.* from (${projects}) p
    cross join lateral (
      select * from error_groups g where g.project_id = p.id ${where(filters, callerId)}
      order by g.last_seen_span desc, g.last_seen_at desc, g.id desc limit ${oneMore}
    ) newest
    order by newest.last_seen_at desc, newest.id desc limit ${oneMore}`;
  const { rows } = await listItemsOf(newest, retentionDays).execute(db);
  const data = rows.slice(0, filters.limit).map(listItem);
  return { data, meta: { truncated: rows.length > filters.limit, count: data.length, limit: filters.limit } };
}

type ListRow = Omit<ErrorGroupListItem, "daily_counts"> & { recent_days: string };

function listItemsOf(groups: RawBuilder<unknown>, retentionDays: number) {
  return sql<ListRow>`
    select ${sharedColumns}, ${messageStart}, ${recentDays(LISTED_DAYS, retentionDays)}, ${affectedUsers(retentionDays)}
    from (${groups}) g
    order by g.last_seen_at desc, g.id desc`;
}

function where(
  { environment, release, query, status, assignee_id }: Omit<ErrorGroupFilters, "project_id">,
  callerId: number,
): RawBuilder<unknown> {
  const pattern = query && `%${query.replace(/[\\%_]/g, "\\$&")}%`;
  return sql.join(
    [
      sql``,
      ...(environment === undefined ? [] : [sql`and g.environment = ${environment}`]),
      ...(status === undefined ? [] : [sql`and g.status = ${status}`]),
      ...(assignee_id === undefined ? [] : [assignedTo(assignee_id === "me" ? callerId : assignee_id)]),
      ...(pattern === undefined
        ? []
        : [sql`and (g.exception_class ilike ${pattern} or g.latest_message ilike ${pattern})`]),
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
