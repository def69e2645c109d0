import type { ErrorGroupListItem, ErrorGroupStatus } from "../../shared/error-groups.ts";

export const OPEN = 0 satisfies ErrorGroupStatus;
export const RESOLVED = 1 satisfies ErrorGroupStatus;
export const IGNORED = 2 satisfies ErrorGroupStatus;

/** What list and page know of a group's state. */
export type Stateful = Pick<
  ErrorGroupListItem,
  "status" | "resolved_at" | "resolved_by_id" | "regressed_at" | "last_release"
>;

/** The verbs that change it, as they are said. */
export const VERBS: Record<ErrorGroupStatus, { verb: string; done: string }> = {
  [OPEN]: { verb: "Reopen", done: "reopened" },
  [RESOLVED]: { verb: "Resolve", done: "resolved" },
  [IGNORED]: { verb: "Ignore", done: "ignored" },
};

/** Regressed is no status: it is an open group that came back. */
export const isRegressed = (group: Pick<Stateful, "status" | "regressed_at">) =>
  group.status === OPEN && group.regressed_at !== null;

/** Whether the verb would change anything (service.md 3.2). */
export function canBecome(
  group: Pick<Stateful, "status" | "regressed_at">,
  status: ErrorGroupStatus,
): boolean {
  return group.status !== status || (status === OPEN && isRegressed(group));
}

/** The group as the server will answer with it, until it does. */
export function withStatus<Group extends Stateful>(
  group: Group,
  status: ErrorGroupStatus,
  by: { userId: number; now: string },
): Group {
  if (!canBecome(group, status)) return group;
  const resolved = status === RESOLVED;
  return {
    ...group,
    status,
    resolved_at: resolved ? by.now : null,
    resolved_by_id: resolved ? by.userId : null,
    regressed_at: null,
  };
}

/**
 * When a resolved group comes back. While it is resolved its latest release is the remembered one: an event of any
 * other reopens it.
 */
export function reopensWhen(group: Pick<Stateful, "last_release">): string {
  return group.last_release === null
    ? "Reopens at the next event."
    : `Reopens if seen in a release other than ${group.last_release}.`;
}

/** "38 resolved · 2 not permitted" */
export function bulkText(status: ErrorGroupStatus, changed: number, refused: number): string {
  const parts = [`${changed} ${VERBS[status].done}`, `${refused} not permitted`];
  return (refused === 0 ? parts.slice(0, 1) : changed === 0 ? parts.slice(1) : parts).join(" · ");
}
