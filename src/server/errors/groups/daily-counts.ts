import { sql, type RawBuilder } from "kysely";

/**
 * Selects the counts of the last `days` UTC days within the retention window, as compact text: the days since the group was
 * last seen, a colon, then the counts from that day backward. Example: `"3:12,0,5"`.
 */
export function recentDays(days: number, retentionDays: number): RawBuilder<string> {
  const ago = sql`((now() at time zone 'UTC')::date - (g.last_seen_at at time zone 'UTC')::date)`;
  const shown = sql.lit(Math.min(days, retentionDays));
  return sql<string>`${ago} || ':' || array_to_string(g.daily_counts[1:${shown} - ${ago}], ',') as recent_days`;
}

/** One count per day, oldest first, today last; 0 for days without events. */
export function dailyCounts(recent: string, days: number): number[] {
  const counts = Array.from({ length: days }, () => 0);
  const colon = recent.indexOf(":");
  // After the clock was set back, a group's last day can be in the future. It is shown as today.
  let index = days - 1 - Math.max(0, Number(recent.slice(0, colon)));
  if (colon === recent.length - 1) return counts;
  for (const count of recent.slice(colon + 1).split(",")) {
    if (index < 0) break;
    counts[index--] = Number(count);
  }
  return counts;
}
