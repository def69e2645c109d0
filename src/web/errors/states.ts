import type { ErrorGroupListItem, ErrorGroupStatus } from "../../shared/error-groups.ts";

export const OPEN = 0 satisfies ErrorGroupStatus;
export const RESOLVED = 1 satisfies ErrorGroupStatus;
export const IGNORED = 2 satisfies ErrorGroupStatus;

/** The fields of a group that describe its status. */
export type StatusFields = Pick<
  ErrorGroupListItem,
  "status" | "resolved_at" | "resolved_by_id" | "regressed_at" | "last_release"
>;

/** The actions that set a status. */
export const STATUS_ACTIONS: Record<ErrorGroupStatus, { verb: string; done: string }> = {
  [OPEN]: { verb: "Reopen", done: "reopened" },
  [RESOLVED]: { verb: "Resolve", done: "resolved" },
  [IGNORED]: { verb: "Ignore", done: "ignored" },
};

/** Regressed is not a status: the group is open because it came back after it was resolved. */
export const isRegressed = (group: Pick<StatusFields, "status" | "regressed_at">) =>
  group.status === OPEN && group.regressed_at !== null;

/** Whether setting the status would change anything. A regressed group can be marked as open. */
export function canBecome(
  group: Pick<StatusFields, "status" | "regressed_at">,
  status: ErrorGroupStatus,
): boolean {
  return group.status !== status || (status === OPEN && isRegressed(group));
}

/** The group as the server is expected to return it. */
export function withStatus<Group extends StatusFields>(
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

type Resolution = Pick<StatusFields, "last_release"> & Partial<Pick<ErrorGroupListItem, "resolved_in">>;

/**
 * When a resolved group reopens. After a plain resolution, an event from any release other than the latest one at the time it was resolved
 * reopens it; `last_release` does not change while it is resolved.
 */
export function reopensWhen(group: Resolution): string {
  if (group.resolved_in?.mode === "next_release") return "Reopens at the first event of a newer release.";
  if (group.resolved_in) return `Reopens if seen in ${group.resolved_in.release} or a newer release.`;
  return group.last_release === null
    ? "Reopens at the next event."
    : `Reopens if seen in a release other than ${group.last_release}.`;
}

/** "38 resolved · 2 not permitted" */
export function bulkText(status: ErrorGroupStatus, changed: number, refused: number): string {
  const parts = [`${changed} ${STATUS_ACTIONS[status].done}`, `${refused} not permitted`];
  return (refused === 0 ? parts.slice(0, 1) : changed === 0 ? parts.slice(1) : parts).join(" · ");
}
