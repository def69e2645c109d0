import { sql } from "kysely";
import { OPEN } from "../../../shared/error-groups.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import type { Tx } from "../../db/connect.ts";
import { autoWatchGroups } from "../../inform/watches/group-watches.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announceErrorGroups } from "../../record/live-changes.ts";

/**
 * If the project has the setting, resolves the open error groups of closed issues in the next release, on behalf of the user
 * who closed them. The caller holds the project's lock. Locks groups in the same order as ingestion.
 */
export async function resolveGroupsOf(
  tx: Tx,
  project: ProjectRef,
  closedIds: number[],
  actorId: number,
): Promise<void> {
  if (closedIds.length === 0) return;
  const { rows } = await sql<{ id: number; project_id: number }>`
    with open_groups as (
      select g.id from error_groups g join projects p on p.id = g.project_id and p.close_resolves
      where g.project_id = ${project.id} and g.linked_issue_id = any(${closedIds}::bigint[]) and g.status = 0
      order by g.key for no key update of g
    )
    update error_groups g set
      status = 1, resolved_at = clock_timestamp(), resolved_by_id = ${actorId}, resolved_release = g.last_release,
      regressed_at = null, resolved_in = 'next_release', resolved_in_release = null,
      resolved_after_release = (latest_release(g.project_id)).version, verified_at = null,
      resolved_by_issue_id = g.linked_issue_id, updated_at = clock_timestamp()
    from open_groups o where g.id = o.id and g.status = 0
    returning g.id, g.project_id`.execute(tx);
  const to = { mode: "next_release", release: null };
  await recordGroupHistory(
    tx,
    actorId,
    rows.map(({ id }) => ({ group_id: id, kind: "resolved", to })),
  );
  await autoWatchGroups(
    tx,
    rows.map((row) => ({ ...row, workspace_id: project.workspace_id })),
    actorId,
    "auto_watch_on_assigned",
  );
  await announceErrorGroups(tx, rows);
}

/**
 * Reopens the error groups that were resolved by closing these issues, unless someone has changed their status or assignee
 * since. The caller holds the project's lock.
 */
export async function reopenGroupsOf(
  tx: Tx,
  project: ProjectRef,
  reopenedIds: number[],
  actorId: number,
): Promise<void> {
  if (reopenedIds.length === 0) return;
  const { rows } = await sql<{ id: number; project_id: number }>`
    with resolved as (
      select g.id from error_groups g
      where g.project_id = ${project.id} and g.linked_issue_id = any(${reopenedIds}::bigint[])
        and g.resolved_by_issue_id = g.linked_issue_id and g.status = 1
      order by g.key for no key update
    )
    update error_groups g set
      status = ${OPEN}, resolved_at = null, resolved_by_id = null, resolved_release = null, regressed_at = null,
      resolved_in = null, resolved_in_release = null, resolved_after_release = null, verified_at = null,
      resolved_by_issue_id = null, updated_at = clock_timestamp()
    from resolved r
    where g.id = r.id and g.resolved_by_issue_id = g.linked_issue_id and g.status = 1
    returning g.id, g.project_id`.execute(tx);
  await recordGroupHistory(
    tx,
    actorId,
    rows.map(({ id }) => ({ group_id: id, kind: "reopened", from: 1 })),
  );
  await announceErrorGroups(tx, rows);
}

/** Resolves or reopens the error groups of an issue that changes between open and closed (`closed_at` is set). */
export async function followIssue(
  tx: Tx,
  project: ProjectRef,
  issueId: number,
  { wasClosed, isClosed }: { wasClosed: boolean; isClosed: boolean },
  actorId: number,
): Promise<void> {
  if (!wasClosed && isClosed) await resolveGroupsOf(tx, project, [issueId], actorId);
  if (wasClosed && !isClosed) await reopenGroupsOf(tx, project, [issueId], actorId);
}
