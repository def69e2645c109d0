import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { countOf, exactCount } from "../../kit/count-text.ts";

/** What ends a snooze. */
export type Snooze = NonNullable<ErrorGroupListItem["snoozed_until"]>;

/** "until 100 more events or release 4.3.0" */
export function conditionText({ at, occurrences, users, release }: Snooze, timeZone?: string): string {
  const parts = [
    ...(at === undefined ? [] : [moment(at, timeZone)]),
    ...(occurrences === undefined ? [] : [countOf(occurrences, "more event")]),
    ...(users === undefined ? [] : [countOf(users, "more user is affected", "more users are affected")]),
    ...(release === undefined ? [] : [`release ${release}`]),
  ];
  return `until ${parts.join(" or ")}`;
}

/** "12 of 50 events, 3 of 10 users"; empty if the snooze counts nothing. */
export function progressText({
  snoozed_until,
  snooze_progress,
}: Pick<ErrorGroupListItem, "snoozed_until" | "snooze_progress">): string {
  const part = (count: number | null | undefined, most: number | undefined, one: string) =>
    typeof count === "number" && most !== undefined ? [`${exactCount(count)} of ${countOf(most, one)}`] : [];
  return [
    ...part(snooze_progress?.occurrences, snoozed_until?.occurrences, "event"),
    ...part(snooze_progress?.users, snoozed_until?.users, "user"),
  ].join(", ");
}

const moment = (at: string, timeZone: string | undefined) =>
  new Date(at).toLocaleString("en", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
