import { IGNORED, OPEN, RESOLVED, type ErrorGroupListItem } from "../../../../../shared/error-groups.ts";
import { classAndMessage } from "../../markdown/error-group.ts";
import type { Call } from "./call.ts";
import type { Project } from "./find-objects.ts";
import { linkTo } from "./links.ts";
import type { Entry } from "./write-list.ts";

/** The statuses of error groups by their names. */
export const STATUSES = new Map<unknown, number>([
  ["open", OPEN],
  ["resolved", RESOLVED],
  ["ignored", IGNORED],
]);

const NAMES = ["open", "resolved", "ignored"];

type Group = Pick<
  ErrorGroupListItem,
  | "id"
  | "status"
  | "regressed_at"
  | "exception_class"
  | "latest_message"
  | "occurrence_count"
  | "last_seen_at"
> & { affected_users: number | null; level: string };

/** An error in a list: its state and numbers, and its class and message in a fence. */
export function groupEntry(call: Call, project: Project, group: Group): Entry {
  const { url, status } = groupReference(call, project, group);
  const facts = [
    status,
    group.level,
    countOf(group.occurrence_count, "event"),
    ...(group.affected_users === null ? [] : [countOf(group.affected_users, "user")]),
    `last seen ${group.last_seen_at.slice(0, 16)}Z`,
  ];
  return {
    heading: `- Error ${group.id} (${facts.join(", ")}) <${url}>`,
    outside: classAndMessage(group.exception_class, group.latest_message),
  };
}

export function groupReference(
  call: Call,
  project: Project,
  { id, status, regressed_at }: Omit<Group, "level">,
) {
  const name = status === OPEN && regressed_at !== null ? "regressed" : NAMES[status];
  return { id, status: name, url: linkTo(call, project.key, `errors/${id}`) };
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
