import { countOf } from "../kit/count-text.ts";

/** What ends a snooze, as the API shows it. */
export type Snooze = {
  at?: string | undefined;
  occurrences?: number | undefined;
  users?: number | undefined;
  release?: string | undefined;
};

/** "until it happens 100 more times or release 4.3.0" */
export function conditionText({ at, occurrences, users, release }: Snooze): string {
  const parts = [
    ...(at === undefined ? [] : [moment(at)]),
    ...(occurrences === undefined ? [] : [`it happens ${countOf(occurrences, "more time")}`]),
    ...(users === undefined ? [] : [`it affects ${countOf(users, "user")}`]),
    ...(release === undefined ? [] : [`release ${release}`]),
  ];
  return `until ${parts.join(" or ")}`;
}

const moment = (at: string) =>
  new Date(at).toLocaleString("en", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
