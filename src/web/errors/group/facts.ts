import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { byteText } from "../../kit/byte-text.ts";
import { exactCount } from "../../kit/count-text.ts";

type Fact = [name: string, value: string];

/** "PHP 8.4.1"; null if neither is known. */
export function nameAndVersion({ name, version }: ErrorGroup["runtime"]): string | null {
  return [name, version].filter((part) => part !== null).join(" ") || null;
}

/** "96 MB of 128 MB", or the one that is known; null if neither is. */
export function memoryText(peak: number | null, limit: number | null): string | null {
  if (peak === null) return limit === null ? null : `limit ${byteText(limit)}`;
  return limit === null ? byteText(peak) : `${byteText(peak)} of ${byteText(limit)}`;
}

/** The fields of the context that were sent. */
export function contextFacts(context: ErrorGroup["context"]): Fact[] {
  if (context === null) return [];
  const facts: [string, string | number | null][] =
    context.kind === "route"
      ? [
          ["Route", [context.method, context.pattern].filter((part) => part !== null).join(" ") || null],
          ["Route name", context.name],
          ["Action", context.action],
          ["Response", context.response_status],
        ]
      : context.kind === "job"
        ? [
            ["Job", context.name],
            ["Queue", context.queue],
            ["Attempt", context.attempt],
          ]
        : [
            ["Command", context.name],
            ["Class", context.class],
          ];
  const sent = facts.flatMap(([name, value]): Fact[] => (value === null ? [] : [[name, String(value)]]));
  return sent.length > 0 ? sent : [["Context", context.kind]];
}

/** Explains release counts that add up to less than the total, because not every event named a release; null if they add up. */
export function countsNote(
  group: Pick<ErrorGroup, "occurrence_count" | "releases" | "releases_count">,
): string | null {
  if (group.releases_count > group.releases.length)
    return `These are the latest ${exactCount(group.releases.length)} of ${exactCount(group.releases_count)} releases.`;
  const counted = group.releases.reduce((sum, { occurrence_count }) => sum + occurrence_count, 0);
  if (counted >= group.occurrence_count || group.releases.length === 0) return null;
  return `${exactCount(counted)} of ${exactCount(group.occurrence_count)} events are counted by release. The others have no release, or are older than release counts.`;
}

/** The same for daily counts, if the days shown cover the whole life of the group. */
export function daysNote(
  group: Pick<ErrorGroup, "occurrence_count" | "daily_counts" | "first_seen_at">,
  firstDay: string,
): string | null {
  const counted = group.daily_counts.reduce((sum, count) => sum + count, 0);
  if (counted >= group.occurrence_count || group.first_seen_at.slice(0, 10) < firstDay) return null;
  return "Older events are included in the total only.";
}
