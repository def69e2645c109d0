import { sql } from "kysely";
import { recordAudit } from "../../record/audit.ts";
import type { Db } from "../../db/connect.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordRelationChanges } from "./relations.ts";
import { noSuchIssue } from "./read-issue.ts";

/**
 * Deletes an issue and its history. Its number is not reused. The reports and the error group it was created from stay;
 * its relations to other issues end. 404 if the project has no such issue.
 */
export async function deleteIssue(
  db: Db,
  projectId: number,
  issueId: number,
  actorId: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const { rows } = await sql<{ id: number }>`
      select blocker_id as id from issue_blocks where blocked_id = ${issueId} and project_id = ${projectId}
      union select blocked_id from issue_blocks where blocker_id = ${issueId} and project_id = ${projectId}`.execute(
      tx,
    );
    const relatedIds = rows.map((row) => row.id);
    await recordRelationChanges(tx, actorId, relatedIds, async () => {
      const issue = await tx
        .deleteFrom("issues")
        .where("project_id", "=", projectId)
        .where("id", "=", issueId)
        .returning(["number", "title"])
        .executeTakeFirst();
      if (!issue) throw noSuchIssue();
      await recordAudit(tx, {
        kind: "issue.deleted",
        project_id: projectId,
        subject: { type: "issue", id: issueId, name: issue.title },
        details: { number: issue.number },
      });
    });
  });
}
