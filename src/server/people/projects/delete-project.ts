import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { noSuchProject } from "./lock-project.ts";

/** Deletes the project and everything in it. Large projects need more than the usual statement timeout. */
export async function deleteProject(db: Db, projectId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '2min'`.execute(tx);
    const project = await tx
      .deleteFrom("projects")
      .where("id", "=", projectId)
      .returning(["workspace_id", "key", "name"])
      .executeTakeFirst();
    if (!project) throw noSuchProject();
    const { workspace_id, key, name } = project;
    await recordAudit(tx, {
      kind: "project.deleted",
      workspace_id,
      subject: { type: "project", id: projectId, name },
      details: { project_id: projectId, project_key: key },
    });
  });
}
