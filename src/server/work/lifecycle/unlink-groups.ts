import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announceErrorGroups } from "../../record/live-changes.ts";

/**
 * Ends the links of an issue that is about to be deleted, so that the history of its error groups says so. The caller holds
 * the project's lock. Locks groups in the same order as ingestion.
 */
export async function unlinkGroupsOf(
  tx: Tx,
  projectId: number,
  issueId: number,
  actorId: number,
): Promise<void> {
  const { rows } = await sql<{ id: number; project_id: number }>`
    with linked as (
      select g.id from error_groups g
      where g.project_id = ${projectId} and g.linked_issue_id = ${issueId}
      order by g.key for no key update
    )
    update error_groups g set
      linked_issue_id = null, linked_at = null, resolved_by_issue_id = null, updated_at = clock_timestamp()
    from linked l where g.id = l.id
    returning g.id, g.project_id`.execute(tx);
  await recordGroupHistory(
    tx,
    actorId,
    rows.map(({ id }) => ({ group_id: id, kind: "unlinked", from: issueId })),
  );
  await announceErrorGroups(tx, rows);
}
