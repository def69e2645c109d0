import type { Deletion } from "../../../shared/deletions.ts";
import type { Tx } from "../../db/connect.ts";
import { deletionColumns } from "./list-deletions.ts";

type NewDeletion = Pick<Deletion, "kind" | "target_id" | "name" | "project_key"> & {
  workspace_id: number;
  requested_by: number;
};

/** Queues the deletion of a project or workspace that this transaction hides. A background job deletes its rows. */
export function startDeletion(tx: Tx, deletion: NewDeletion): Promise<Deletion> {
  return tx.insertInto("deletions").values(deletion).returning(deletionColumns).executeTakeFirstOrThrow();
}

/**
 * Immediately deletes everything that gives people, teams, tokens, keys and invitations access to the deleted projects, and what
 * would cause emails about them.
 */
export async function endAccess(tx: Tx, projectIds: number[]): Promise<void> {
  if (projectIds.length === 0) return;
  for (const table of [
    "project_tokens",
    "ingest_keys",
    "project_members",
    "project_teams",
    "report_watchers",
    "invitation_projects",
    "new_error_groups",
    "error_digests",
    "error_digest_entries",
  ] as const)
    await tx.deleteFrom(table).where("project_id", "in", projectIds).execute();
}
