import { sql, type RawBuilder } from "kysely";
import { LISTED_MESSAGE, type ErrorGroupListItem } from "../../../shared/error-groups.ts";

/** The columns that list and detail share, of `error_groups g`. */
export const sharedColumns = sql`
  g.id, g.project_id, g.environment, g.release, g.last_release, g.exception_class,
  g.context_kind, g.context_label, g.occurrence_count, g.status, g.resolved_at, g.resolved_by_id,
  g.regressed_at, g.reopen_count, g.linked_issue_id, g.first_seen_at, g.last_seen_at,
  g.first_seen_at as created_at, g.updated_at`;

/** One character more than lists show, to know whether something was cut. */
export const listedMessage = sql`left(g.latest_message, ${sql.lit(LISTED_MESSAGE + 1)}) as latest_message`;

/**
 * Distinct users within the window, null when there are none (service.md 2.10). The kept count is right while no
 * user can have expired since the daily job; else the rows are counted.
 */
export function affectedUsers(retentionDays: number): RawBuilder<number | null> {
  const cutoff = sql`now() - make_interval(days => ${retentionDays}::int)`;
  return sql<number | null>`(
    select nullif(case when c.seen_since > ${cutoff} then c.count else (
      select count(*) from error_group_users u where u.group_id = g.id and u.last_seen_at > ${cutoff}
    ) end, 0)
    from error_group_user_counts c where c.group_id = g.id) as affected_users`;
}

/**
 * The counts of the last `days` UTC days, as far as the window reaches: how many days ago the group was last seen, a
 * colon, then the counts from that day back: `"3:12,0,5"`.
 */
export function recentDays(days: number, retentionDays: number): RawBuilder<string> {
  const ago = sql`((now() at time zone 'UTC')::date - (g.last_seen_at at time zone 'UTC')::date)`;
  const shown = sql.lit(Math.min(days, retentionDays));
  return sql<string>`${ago} || ':' || array_to_string(g.daily_counts[1:${shown} - ${ago}], ',') as recent_days`;
}

/** One number a day, oldest first, today last; 0 for days without events. */
export function dailyCounts(recent: string, days: number): number[] {
  const counts = Array.from({ length: days }, () => 0);
  const colon = recent.indexOf(":");
  // A clock that was set back leaves groups of tomorrow: their last day is shown as today's.
  let place = days - 1 - Math.max(0, Number(recent.slice(0, colon)));
  if (colon === recent.length - 1) return counts;
  for (const count of recent.slice(colon + 1).split(",")) {
    if (place < 0) break;
    counts[place--] = Number(count);
  }
  return counts;
}

type Times = Pick<ErrorGroupListItem, "first_seen_at" | "last_seen_at" | "created_at" | "updated_at"> &
  Pick<ErrorGroupListItem, "resolved_at" | "regressed_at">;

/** Error groups write UTC as +00:00 (service.md 1). */
export function withOffset<Row extends Times>(row: Row): Row {
  return {
    ...row,
    resolved_at: row.resolved_at && offset(row.resolved_at),
    regressed_at: row.regressed_at && offset(row.regressed_at),
    first_seen_at: offset(row.first_seen_at),
    last_seen_at: offset(row.last_seen_at),
    created_at: offset(row.created_at),
    updated_at: offset(row.updated_at),
  };
}

export function offset(timestamp: string): string {
  return `${timestamp.slice(0, -1)}+00:00`;
}

export type ListRow = Omit<ErrorGroupListItem, "daily_counts"> & { recent_days: string };

/** Cut to its first 500 characters, then an ellipsis. */
export function cutMessage(message: string): string {
  if (message.length <= LISTED_MESSAGE) return message;
  const points = Array.from(message);
  return points.length > LISTED_MESSAGE ? `${points.slice(0, LISTED_MESSAGE).join("")}…` : message;
}
