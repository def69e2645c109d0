import { sql } from "kysely";
import { OPEN } from "../../../shared/error-groups.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import type { Tx } from "../../db/connect.ts";
import { autoWatchGroups } from "../../inform/watches/group-watches.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announce } from "../../record/live-changes.ts";

/**
 * Resolves the open error groups of issues that were closed in the next release, on behalf of the user who closed them, if
 * the project wants this. The caller holds the project's lock. Groups are locked in the order in which ingestion locks.
 */
export async function resolveGroupsOf(
  tx: Tx,
  project: ProjectRef,
  closedIds: number[],
  actorId: number,
): Promise<void> {
  if (closedIds.length === 0) return;
  const { rows } = await sql<{ id: number }>`
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
    returning g.id`.execute(tx);
  const to = { mode: "next_release", release: null };
  await recordGroupHistory(
    tx,
    actorId,
    rows.map(({ id }) => ({ group_id: id, kind: "resolved", to })),
  );
  await autoWatchGroups(
    tx,
    rows.map(({ id }) => ({ id, project_id: project.id, workspace_id: project.workspace_id })),
    actorId,
    "auto_watch_on_assigned",
  );
  await announceGroups(tx, project, rows);
}

/**
 * Opens the error groups again that closing these issues resolved, unless someone has changed their status or assignee
 * since. The caller holds the project's lock.
 */
export async function reopenGroupsOf(
  tx: Tx,
  project: ProjectRef,
  reopenedIds: number[],
  actorId: number,
): Promise<void> {
  if (reopenedIds.length === 0) return;
  const { rows } = await sql<{ id: number }>`
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
    returning g.id`.execute(tx);
  await recordGroupHistory(
    tx,
    actorId,
    rows.map(({ id }) => ({ group_id: id, kind: "reopened", from: 1 })),
  );
  await announceGroups(tx, project, rows);
}

/** What follows for error groups when the issue changes between closed (`closed_at` is set) and open. */
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

async function announceGroups(tx: Tx, project: ProjectRef, groups: { id: number }[]): Promise<void> {
  await announce(
    tx,
    groups.map(({ id }) => ({ kind: "error_group" as const, project_id: project.id, id })),
  );
}
