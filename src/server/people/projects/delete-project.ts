import { sql } from "kysely";
import type { Deletion } from "../../../shared/deletions.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { endAccess, startDeletion } from "../deletions/start-deletion.ts";
import { lockProject } from "./lock-project.ts";

/** Hides the project and ends all access to it. Unless it is restored within 24 hours, a background job deletes everything in it. */
export async function deleteProject(db: Db, projectId: number, userId: number): Promise<Deletion> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const { workspace_id, key, name } = await tx
      .updateTable("projects")
      .set({ deleted_at: sql`clock_timestamp()` })
      .where("id", "=", projectId)
      .returning(["workspace_id", "key", "name"])
      .executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "project.deleted",
      workspace_id,
      subject: { type: "project", id: projectId, name },
      details: { project_id: projectId, project_key: key },
    });
    const deletion = await startDeletion(tx, {
      kind: "project",
      target_id: projectId,
      workspace_id,
      name,
      project_key: key,
      requested_by: userId,
    });
    await endAccess(tx, deletion.id, { projectIds: [projectId] });
    return deletion;
  });
}
