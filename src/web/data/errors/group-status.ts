import type { ErrorGroupListItem, ErrorGroupStatus, ResolveIn } from "../../../shared/error-groups.ts";
import { MONITOR_ERRORS } from "../../../shared/monitor-errors.ts";
import { conditionText, type Snooze } from "./snooze-text.ts";

export const OPEN = 0 satisfies ErrorGroupStatus;
export const RESOLVED = 1 satisfies ErrorGroupStatus;
export const IGNORED = 2 satisfies ErrorGroupStatus;

/** The fields of a group that describe its status. */
export type StatusFields = Pick<
  ErrorGroupListItem,
  | "status"
  | "resolved_at"
  | "resolved_by_id"
  | "regressed_at"
  | "last_release"
  | "resolved_in"
  | "verified_at"
  | "snoozed_until"
  | "snooze_progress"
>;

/** `in` is for resolving only, and `until` for ignoring only. */
export type StatusChange = {
  status: ErrorGroupStatus;
  in?: ResolveIn | undefined;
  until?: Snooze | undefined;
};

/** The actions that set a status. */
const STATUS_ACTIONS: Record<ErrorGroupStatus, { verb: string; done: string }> = {
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

/**
 * Whether the change would change anything. A resolution in a release and a snooze replace earlier ones. Ignoring for good
 * ends a snooze, but the server does that only for a single group.
 */
export function applies(
  group: Pick<StatusFields, "status" | "regressed_at" | "snoozed_until">,
  change: StatusChange,
  isOnly: boolean,
): boolean {
  if (change.in !== undefined || change.until !== undefined) return true;
  const endsSnooze = isOnly && change.status === IGNORED && group.snoozed_until !== null;
  return endsSnooze || canBecome(group, change.status);
}

/** The group as the server is expected to return it. */
export function withStatus<Group extends StatusFields>(
  group: Group,
  change: StatusChange,
  by: { userId: number; now: string },
): Group {
  if (!applies(group, change, true)) return group;
  const resolved = change.status === RESOLVED;
  return {
    ...group,
    status: change.status,
    resolved_at: resolved ? by.now : null,
    resolved_by_id: resolved ? by.userId : null,
    regressed_at: null,
    resolved_in: resolutionOf(change.in),
    verified_at: null,
    snoozed_until: change.until ?? null,
    snooze_progress: change.until === undefined ? null : startOf(change.until),
  };
}

/** The counts of a snooze that begins. */
const startOf = ({ occurrences, users }: Snooze) => ({
  occurrences: occurrences === undefined ? null : 0,
  users: users === undefined ? null : 0,
});

function resolutionOf(release: ResolveIn | undefined): StatusFields["resolved_in"] {
  if (release === undefined) return null;
  return release === "next_release"
    ? { mode: release, release: null }
    : { mode: "release", release: release.release };
}

const MONITOR_CLASSES: ReadonlySet<string> = new Set(Object.values(MONITOR_ERRORS));

type ResolvedBy = Pick<ErrorGroupListItem, "exception_class" | "resolved_by_id" | "resolved_in">;

/** Whether the job of the group's monitor runs again. Its next failure reopens the group, whatever the release. */
export const isResolvedByMonitor = ({ exception_class, resolved_by_id, resolved_in }: ResolvedBy): boolean =>
  MONITOR_CLASSES.has(exception_class) && resolved_by_id === null && resolved_in === null;

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

/** "resolved in the next release" */
export function resolvedText({ resolved_in }: Pick<StatusFields, "resolved_in">): string {
  if (resolved_in === null) return "resolved";
  return `resolved in ${resolved_in.release ?? "the next release"}`;
}

/** "resolved in 4.13.0", "ignored until 100 more events" */
export function doneText(change: StatusChange, timeZone?: string): string {
  if (change.until !== undefined) return `ignored ${conditionText(change.until, timeZone)}`;
  if (change.status === RESOLVED) return resolvedText({ resolved_in: resolutionOf(change.in) });
  return STATUS_ACTIONS[change.status].done;
}

/** "38 resolved · 2 not permitted" */
export function bulkText(done: string, changed: number, refused: number): string {
  const parts = [`${changed} ${done}`, `${refused} not permitted`];
  return (refused === 0 ? parts.slice(0, 1) : changed === 0 ? parts.slice(1) : parts).join(" · ");
}
