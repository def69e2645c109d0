import { sql, type RawBuilder } from "kysely";
import {
  IGNORED,
  OPEN,
  RESOLVED,
  type BulkStatus,
  type ErrorGroup,
  type ErrorGroupStatus,
  type ResolveIn,
} from "../../../shared/error-groups.ts";
import type { Snooze } from "../../../shared/error-group-work.ts";
import type { Caller } from "../../access/caller.ts";
import type { Tx } from "../../db/connect.ts";
import { autoWatchGroups } from "../../inform/watches/group-watches.ts";
import { recordGroupHistory, type GroupHistoryEntry } from "../../record/error-group-history.ts";
import { announceErrorGroups } from "../../record/live-changes.ts";
import { addNamedRelease } from "./add-named-release.ts";
import { changeInBulk } from "./change-in-bulk.ts";
import { keepForUndo, statusColumns, type ChangeBy } from "../../work/lifecycle/keep-for-undo.ts";
import { readErrorGroup } from "./read-group.ts";
import type { ErrorDb } from "./error-db.ts";

/** `in` is for resolving only, and `until` for ignoring only. */
export type StatusChange = {
  status: ErrorGroupStatus;
  in?: ResolveIn | undefined;
  until?: Snooze | undefined;
};

/**
 * Resolves, ignores or reopens one group. Setting the current status changes nothing, except that resolving in a release
 * replaces an earlier resolution, and ignoring an ignored group replaces or ends its snooze. 404 if the project has no such
 * group.
 */
export async function setErrorGroupStatus(
  errorDb: ErrorDb,
  group: { projectId: number; id: number },
  change: StatusChange,
  by: ChangeBy,
): Promise<ErrorGroup> {
  return errorDb.db.transaction().execute(async (tx) => {
    const which = sql`g.id = ${group.id} and g.project_id = ${group.projectId}`;
    await changeStatus(tx, change, { by, which, endsSnooze: true });
    return readErrorGroup({ ...errorDb, db: tx }, group.projectId, group.id);
  });
}

/** Sets the status of many groups; see `changeInBulk` for the ids that are refused. */
export function setErrorGroupsStatus(
  errorDb: ErrorDb,
  caller: Caller,
  ids: number[],
  change: StatusChange & { change_id?: string | undefined },
): Promise<BulkStatus> {
  const by = { userId: caller.user_id, changeId: change.change_id };
  return changeInBulk(errorDb, caller, {
    ids,
    change: (tx, permitted) =>
      changeStatus(tx, change, { by, which: sql`g.id = any(${permitted}::bigint[])` }),
  });
}

/** Resolves the groups that are not resolved in the next release, without an actor. */
export const resolveInNextRelease = (tx: Tx, ids: number[]): Promise<void> =>
  changeStatus(
    tx,
    { status: RESOLVED, in: "next_release" },
    { by: { userId: null }, which: sql`g.id = any(${ids}::bigint[]) and g.status <> ${RESOLVED}` },
  );

/**
 * Resolves an open group of a monitor's failures, without an actor. The next failure opens it again, whatever its release: so the group
 * does not have the release that it was resolved in.
 */
export async function resolveByMonitor(tx: Tx, id: number, monitor: string): Promise<void> {
  await changeStatus(
    tx,
    { status: RESOLVED },
    { by: { userId: null, monitor }, which: sql`g.id = ${id} and g.status = ${OPEN}` },
  );
}

type Changed = {
  id: number;
  project_id: number;
  workspace_id: number;
  status_before: ErrorGroupStatus;
  before: unknown;
  resolved_release: string | null;
};

/** `endsSnooze` lets ignoring without `until` end the snooze of an ignored group. */
type ChangeScope = {
  by: ChangeBy | { userId: null; monitor?: string };
  which: RawBuilder<unknown>;
  endsSnooze?: boolean;
};

/** The precondition is in the `where`, so a group that already has the status keeps all its fields. */
async function changeStatus(
  tx: Tx,
  { status, in: resolveIn, until }: StatusChange,
  { by, which, endsSnooze = false }: ChangeScope,
) {
  const { mode, release } = resolutionOf(resolveIn);
  const monitor = "monitor" in by ? by.monitor : undefined;
  const cleared = sql`resolved_at = null, resolved_by_id = null, resolved_release = null, regressed_at = null,
    resolved_in = null, resolved_in_release = null, resolved_after_release = null, verified_at = null,
    resolved_by_issue_id = null`;
  const resolved = sql`resolved_at = clock_timestamp(), resolved_by_id = ${by.userId},
    resolved_release = ${monitor === undefined ? sql`g.last_release` : null}, regressed_at = null, resolved_in = ${mode}, resolved_in_release = ${release},
    resolved_after_release = (latest_release(g.project_id)).version, verified_at = null,
    resolved_by_issue_id = null`;
  const precondition = {
    [OPEN]: sql`(g.status <> 0 or g.regressed_at is not null)`,
    [RESOLVED]: resolveIn === undefined ? sql`g.status <> 1` : sql`true`,
    [IGNORED]:
      until !== undefined
        ? sql`true`
        : endsSnooze
          ? sql`(g.status <> 2 or g.snoozed_until is not null)`
          : sql`g.status <> 2`,
  }[status];
  const { rows } = await sql<Changed>`
    with before as (
      select g.id, g.status, ${statusColumns} as columns from error_groups g where ${which} order by g.key for no key update
    )
    update error_groups g
    set status = ${status}, ${status === RESOLVED ? resolved : cleared},
      ${snoozeColumns(until)}, updated_at = clock_timestamp()
    from before b, projects p
    where g.id = b.id and p.id = g.project_id and ${precondition}
    returning g.id, g.project_id, p.workspace_id, b.status as status_before,
      b.columns as before, g.resolved_release`.execute(tx);
  const entries = await recordGroupHistory(
    tx,
    by.userId,
    rows.map(entryFor(status, resolveIn, until, monitor)),
  );
  await addNamedRelease(tx, rows, resolveIn);
  await announceErrorGroups(tx, rows);
  if (by.userId === null) return;
  // Resolving a group makes the user watch it under the same preference as being assigned.
  const watches =
    status === RESOLVED
      ? await autoWatchGroups(tx, rows, by.userId, "auto_watch_on_assigned")
      : new Set<number>();
  await keepForUndo(tx, by, rows, { entries, watches, watcherId: by.userId });
}

/** Events and users are counted from now on. */
function snoozeColumns(until: Snooze | undefined): RawBuilder<unknown> {
  const { at, occurrences, users } = until ?? {};
  return sql`snoozed_until = ${until === undefined ? null : JSON.stringify(until)}::jsonb,
    snooze_ends_at = ${at ?? null}::timestamptz,
    snooze_ends_count = g.occurrence_count + ${occurrences ?? null}::bigint,
    snooze_users = ${users === undefined ? sql`null` : sql`'{}'::bigint[]`}`;
}

function resolutionOf(resolveIn: ResolveIn | undefined): { mode: string | null; release: string | null } {
  if (resolveIn === undefined || resolveIn === "next_release")
    return { mode: resolveIn ?? null, release: null };
  return { mode: "release", release: resolveIn.release };
}

const entryFor =
  (
    status: ErrorGroupStatus,
    resolveIn: ResolveIn | undefined,
    until: Snooze | undefined,
    monitor: string | undefined,
  ) =>
  ({ id, status_before, resolved_release }: Changed): GroupHistoryEntry => {
    if (status === RESOLVED)
      return {
        group_id: id,
        kind: "resolved",
        ...(monitor !== undefined && { from: { monitor } }),
        to: resolveIn === undefined ? resolved_release : resolutionOf(resolveIn),
      };
    if (status === IGNORED)
      return until === undefined
        ? { group_id: id, kind: "ignored" }
        : { group_id: id, kind: "snoozed", to: until };
    return { group_id: id, kind: "reopened", from: status_before };
  };
