import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { OPEN } from "../../../shared/error-groups.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import type { Tx } from "../../db/connect.ts";
import { autoWatchGroups } from "../../inform/watches/group-watches.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announceErrorGroups } from "../../record/live-changes.ts";
import { keepForUndo, statusColumns, UNDO_MINUTES } from "./keep-for-undo.ts";
import { restoreGroups } from "./restore-groups.ts";

/**
 * If the project has the setting, resolves the open error groups of closed issues in the next release, on behalf of the user
 * who closed them, or without an actor. The caller holds the project's lock. Locks groups in the same order as ingestion.
 */
export async function resolveGroupsOf(
  tx: Tx,
  project: ProjectRef,
  closedIds: number[],
  actorId: number | null,
): Promise<void> {
  if (closedIds.length === 0) return;
  const { rows } = await sql<{ id: number; project_id: number; before: unknown }>`
    with open_groups as (
      select g.id, ${statusColumns} as before from error_groups g join projects p on p.id = g.project_id and p.close_resolves
      where g.project_id = ${project.id} and g.linked_issue_id = any(${closedIds}::bigint[]) and g.status = 0
      order by g.key for no key update of g
    )
    update error_groups g set
      status = 1, resolved_at = clock_timestamp(), resolved_by_id = ${actorId}, resolved_release = g.last_release,
      regressed_at = null, resolved_in = 'next_release', resolved_in_release = null,
      resolved_after_release = (latest_release(g.project_id)).version, verified_at = null,
      resolved_by_issue_id = g.linked_issue_id, updated_at = clock_timestamp()
    from open_groups o where g.id = o.id and g.status = 0
    returning g.id, g.project_id, o.before`.execute(tx);
  const to = { mode: "next_release", release: null };
  const entries = await recordGroupHistory(
    tx,
    actorId,
    rows.map(({ id }) => ({ group_id: id, kind: "resolved", to })),
  );
  await announceErrorGroups(tx, rows);
  if (actorId === null) return;
  const watches = await autoWatchGroups(
    tx,
    rows.map((row) => ({ ...row, workspace_id: project.workspace_id })),
    actorId,
    "auto_watch_on_assigned",
  );
  // Reopening the issue undoes this, so no client has to know the id.
  const by = { userId: actorId, changeId: randomUUID() };
  await keepForUndo(tx, by, rows, { entries, watches, watcherId: actorId });
}

/**
 * Reopens the error groups that were resolved by closing these issues, unless someone has changed their status or assignee
 * since. If the same user closed an issue within the last ten minutes, its groups return to exactly what they were before. The
 * caller holds the project's lock.
 */
export async function reopenGroupsOf(
  tx: Tx,
  project: ProjectRef,
  reopenedIds: number[],
  actorId: number,
): Promise<void> {
  if (reopenedIds.length === 0) return;
  const { rows: groups } = await sql<{ id: number; project_id: number }>`
    select g.id, g.project_id from error_groups g
    where g.project_id = ${project.id} and g.linked_issue_id = any(${reopenedIds}::bigint[])
      and g.resolved_by_issue_id = g.linked_issue_id and g.status = 1
    order by g.key for no key update`.execute(tx);
  const closings = await readClosings(
    tx,
    groups.map(({ id }) => id),
    actorId,
  );
  await restoreGroups(tx, [...closings.values()]);
  await openGroups(
    tx,
    groups.flatMap(({ id }) => (closings.has(id) ? [] : [id])),
    actorId,
  );
  await announceErrorGroups(tx, groups);
}

/** The history entries of resolutions that the user can undo, by group. The caller holds the groups' locks. */
async function readClosings(tx: Tx, groupIds: number[], userId: number): Promise<Map<number, number>> {
  // Until something else changes the status of a group that was resolved with its issue, that is its last resolution.
  const { rows } = await sql<{ group_id: number; activity_id: number }>`
    select u.group_id, u.activity_id from error_group_undos u
    where u.group_id = any(${groupIds}::bigint[]) and u.user_id = ${userId}
      and u.created_at > now() - make_interval(mins => ${UNDO_MINUTES})
      and u.activity_id = (
        select max(a.id) from error_group_activity a where a.group_id = u.group_id and a.kind = 'resolved')`.execute(
    tx,
  );
  return new Map(rows.map(({ group_id, activity_id }) => [group_id, activity_id]));
}

async function openGroups(tx: Tx, ids: number[], actorId: number): Promise<void> {
  await sql`
    update error_groups set
      status = ${OPEN}, resolved_at = null, resolved_by_id = null, resolved_release = null, regressed_at = null,
      resolved_in = null, resolved_in_release = null, resolved_after_release = null, verified_at = null,
      resolved_by_issue_id = null, updated_at = clock_timestamp()
    where id = any(${ids}::bigint[])`.execute(tx);
  await recordGroupHistory(
    tx,
    actorId,
    ids.map((id) => ({ group_id: id, kind: "reopened", from: 1 })),
  );
}

type IssueTransition = { issueId: number; actorId: number; wasClosed: boolean; isClosed: boolean };

/** Resolves or reopens the error groups of an issue that changes between open and closed (`closed_at` is set). */
export async function followIssue(
  tx: Tx,
  project: ProjectRef,
  { issueId, actorId, wasClosed, isClosed }: IssueTransition,
): Promise<void> {
  if (!wasClosed && isClosed) await resolveGroupsOf(tx, project, [issueId], actorId);
  if (wasClosed && !isClosed) await reopenGroupsOf(tx, project, [issueId], actorId);
}
