import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import { countOf } from "../kit/count-text.ts";

/** What ends a snooze. */
export type Snooze = NonNullable<ErrorGroupListItem["snoozed_until"]>;

/** "until it happens 100 more times or release 4.3.0" */
export function conditionText({ at, occurrences, users, release }: Snooze, timeZone?: string): string {
  const parts = [
    ...(at === undefined ? [] : [moment(at, timeZone)]),
    ...(occurrences === undefined ? [] : [`it happens ${countOf(occurrences, "more time")}`]),
    ...(users === undefined ? [] : [`it affects ${countOf(users, "more user")}`]),
    ...(release === undefined ? [] : [`release ${release}`]),
  ];
  return `until ${parts.join(" or ")}`;
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
