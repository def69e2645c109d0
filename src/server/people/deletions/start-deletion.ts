import { sql } from "kysely";
import type { Deletion } from "../../../shared/deletions.ts";
import type { Tx } from "../../db/connect.ts";
import { takeAccessAway } from "./access-rows.ts";
import { deletionColumns } from "./list-deletions.ts";

type NewDeletion = Pick<Deletion, "kind" | "target_id" | "name" | "project_key"> & {
  workspace_id: number;
  requested_by: number;
};

/**
 * Queues the deletion of a project or workspace that this transaction hides. After 24 hours, in which it can be restored, a background
 * job deletes its rows.
 */
export function startDeletion(tx: Tx, deletion: NewDeletion): Promise<Deletion> {
  const restorable_until = sql<string>`clock_timestamp() + interval '24 hours'`;
  return tx
    .insertInto("deletions")
    .values({ ...deletion, restorable_until })
    .returning(deletionColumns)
    .executeTakeFirstOrThrow();
}

/**
 * Immediately deletes everything that gives people, teams, tokens, keys and invitations access to the deleted projects (and to the
 * workspace, if it is deleted), and what would cause emails about them. What gave access comes back if the deletion is restored.
 */
export async function endAccess(
  tx: Tx,
  deletionId: number,
  { workspaceId = null, projectIds }: { workspaceId?: number | null; projectIds: number[] },
): Promise<void> {
  await takeAccessAway(tx, deletionId, { workspaceId, projectIds });
  if (projectIds.length === 0) return;
  for (const table of [
    "new_error_groups",
    "new_reports",
    "error_digests",
    "error_digest_entries",
    "emailed_alerts",
  ] as const)
    await tx.deleteFrom(table).where("project_id", "in", projectIds).execute();
}
