import { sql } from "kysely";
import type { ProjectRef } from "../../access/access-queries.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announceErrorGroups } from "../../record/live-changes.ts";
import { resolveGroupsOf } from "./follow-issues.ts";

/**
 * Links error groups to a new issue, and resolves them if it was created in a lane of kind done. The caller holds the
 * project's lock and those of the groups.
 */
export async function linkGroupsTo(
  tx: Tx,
  project: ProjectRef,
  { issueId, groupIds, actorId }: { issueId: number; groupIds: number[]; actorId: number | null },
): Promise<void> {
  if (groupIds.length === 0) return;
  const { rows } = await sql<{ id: number; project_id: number; is_closed: boolean }>`
    update error_groups g set linked_issue_id = i.id, linked_at = i.created_at,
      resolved_by_issue_id = null, updated_at = clock_timestamp()
    from issues i where i.id = ${issueId} and g.id = any(${groupIds}::bigint[])
    returning g.id, g.project_id, i.closed_at is not null as is_closed`.execute(tx);
  await recordGroupHistory(
    tx,
    actorId,
    groupIds.map((group_id) => ({ group_id, kind: "linked", to: issueId })),
  );
  await announceErrorGroups(tx, rows);
  if (rows[0]?.is_closed) await resolveGroupsOf(tx, project, [issueId], actorId);
}

/**
 * Locks the error groups to link until the transaction ends, in the same order as ingestion. 422 on `error_group_ids.N` if
 * that group is not in the project or is already linked to an issue.
 */
export async function requireUnlinked(tx: Tx, projectId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: number; is_linked: boolean }>`
    select id, linked_issue_id is not null as is_linked from error_groups
    where project_id = ${projectId} and id = any(${ids}::bigint[])
    order by key for no key update`.execute(tx);
  const isLinkedById = new Map(rows.map(({ id, is_linked }) => [id, is_linked]));
  const errors: FieldErrors = {};
  for (const [index, id] of ids.entries()) {
    if (!isLinkedById.has(id)) errors[`error_group_ids.${index}`] = ["is not an error group of the project"];
    else if (isLinkedById.get(id)) errors[`error_group_ids.${index}`] = ["is already linked to an issue"];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
