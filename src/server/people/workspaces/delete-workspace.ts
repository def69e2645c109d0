import { sql } from "kysely";
import type { Deletion } from "../../../shared/deletions.ts";
import { refused } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { endAccess, startDeletion } from "../deletions/start-deletion.ts";
import { noSuchWorkspace } from "./lock-workspace.ts";

/**
 * Hides the workspace with its projects and ends everyone's membership. Unless it is restored
 * within 24 hours, a background job deletes everything in it. 422 for
 * the only workspace: without one, nobody could create another.
 */
export async function deleteWorkspace(db: Db, workspaceId: number, userId: number): Promise<Deletion> {
  return db.transaction().execute(async (tx) => {
    await requireOther(tx, workspaceId);
    const { name } = await tx
      .updateTable("workspaces")
      .set({ deleted_at: sql`clock_timestamp()` })
      .where("id", "=", workspaceId)
      .returning("name")
      .executeTakeFirstOrThrow();
    // Creating a project locks the membership. After this statement no project can be added.
    await tx
      .selectFrom("workspace_members")
      .select("user_id")
      .where("workspace_id", "=", workspaceId)
      .orderBy("user_id")
      .forUpdate()
      .execute();
    await tx
      .deleteFrom("mails")
      .where("workspace_id", "=", workspaceId)
      .where("state", "=", "queued")
      .execute();
    const projects = await tx
      .updateTable("projects")
      .set({ deleted_at: sql`clock_timestamp()` })
      .where("workspace_id", "=", workspaceId)
      .where("deleted_at", "is", null)
      .returning("id")
      .execute();
    await recordAudit(tx, {
      kind: "workspace.deleted",
      workspace_id: workspaceId,
      subject: { type: "workspace", id: workspaceId, name },
    });
    const deletion = await startDeletion(tx, {
      kind: "workspace",
      target_id: workspaceId,
      workspace_id: workspaceId,
      name,
      project_key: null,
      requested_by: userId,
    });
    await endAccess(tx, deletion.id, { workspaceId, projectIds: projects.map(({ id }) => id) });
    return deletion;
  });
}

/** Locks every workspace, so that two requests cannot delete the last two at the same time. */
async function requireOther(tx: Tx, workspaceId: number): Promise<void> {
  const rows = await tx
    .selectFrom("workspaces")
    .select("id")
    .where("deleted_at", "is", null)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  if (!rows.some(({ id }) => id === workspaceId)) throw noSuchWorkspace();
  if (rows.length === 1)
    throw refused("This is the only workspace. Create another one before you delete it.");
}
