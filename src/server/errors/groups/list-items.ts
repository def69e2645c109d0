import { sql, type RawBuilder } from "kysely";
import {
  LISTED_DAYS,
  MAX_LISTED_MESSAGE_LENGTH,
  type ErrorGroupListItem,
} from "../../../shared/error-groups.ts";
import { affectedUsers, sharedColumns } from "./columns.ts";
import { dailyCounts, recentDays } from "./daily-counts.ts";
import { withUtcOffsets } from "./utc-offset.ts";
import type { ErrorDb } from "./error-db.ts";

/** The list items of the groups with these ids, in no particular order. */
export async function readListItems(errorDb: ErrorDb, ids: number[]): Promise<ErrorGroupListItem[]> {
  const groups = sql`select * from error_groups where id = any(${ids}::bigint[])`;
  return selectListItems(errorDb, groups);
}

/** The list items of the groups that the query selects, most recently seen first. */
export async function selectListItems(
  { db, retentionDays }: ErrorDb,
  groups: RawBuilder<unknown>,
): Promise<ErrorGroupListItem[]> {
  const { rows } = await sql<ListRow>`
    select ${listColumns(retentionDays)} from (${groups}) g
    order by g.last_seen_at desc, g.id desc`.execute(db);
  return rows.map(listItem);
}

/** A list item as `listColumns` selects it. */
export type ListRow = Omit<ErrorGroupListItem, "daily_counts"> & { recent_days: string };

/** The columns of a list item of the group `g`. */
export const listColumns = (retentionDays: number) =>
  sql`${sharedColumns}, ${messageStart}, ${recentDays(LISTED_DAYS, retentionDays)}, ${affectedUsers(retentionDays)}`;

export function listItem({ recent_days, ...row }: ListRow): ErrorGroupListItem {
  return {
    ...withUtcOffsets(row),
    latest_message: truncateMessage(row.latest_message),
    daily_counts: dailyCounts(recent_days, LISTED_DAYS),
  };
}

/** Selects one character more than lists show, so that `truncateMessage` can detect a longer message. */
const messageStart = sql`left(g.latest_message, ${sql.lit(MAX_LISTED_MESSAGE_LENGTH + 1)}) as latest_message`;

/** The first 500 characters, followed by an ellipsis if the message is longer. */
export function truncateMessage(message: string): string {
  if (message.length <= MAX_LISTED_MESSAGE_LENGTH) return message;
  const points = Array.from(message);
  return points.length > MAX_LISTED_MESSAGE_LENGTH
    ? `${points.slice(0, MAX_LISTED_MESSAGE_LENGTH).join("")}…`
    : message;
}
