import { sql } from "kysely";
import { detachIssues } from "../../record/issue-history.ts";
import { noteDeletion } from "../../record/changed-objects.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { unlinkGroupsOf } from "../lifecycle/unlink-groups.ts";
import { announceParents } from "./parents.ts";
import { recordRelationChanges } from "./relations.ts";
import { noSuchIssue } from "./read-issue.ts";

/**
 * Deletes an issue and its history. Its number is not reused. The reports and the error groups it was linked to
 * stay; its relations to other issues end, and its sub-issues stay without a parent. 404 if the project has no such issue.
 */
export async function deleteIssue(
  db: Db,
  projectId: number,
  issueId: number,
  actorId: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    await removeIssue(tx, projectId, issueId, actorId);
  });
}

/** Deletes an issue as part of another change. The caller holds the project's lock. */
export async function removeIssue(
  tx: Tx,
  projectId: number,
  issueId: number,
  actorId: number,
): Promise<void> {
  await noteDeletion(tx, { kind: "issue", id: issueId, projectId });
  const { rows } = await sql<{ id: number }>`
    select blocker_id as id from issue_blocks where blocked_id = ${issueId} and project_id = ${projectId}
    union select blocked_id from issue_blocks where blocker_id = ${issueId} and project_id = ${projectId}
    union select other_id from issue_relations where issue_id = ${issueId} and project_id = ${projectId}`.execute(
    tx,
  );
  const relatedIds = rows.map((row) => row.id);
  for (const column of ["parent_id", "duplicate_of_id"] as const)
    await detachIssues(tx, { project_id: projectId, column, id: issueId }, actorId);
  await unlinkGroupsOf(tx, projectId, issueId, actorId);
  await recordRelationChanges(tx, actorId, relatedIds, async () => {
    const issue = await tx
      .deleteFrom("issues")
      .where("project_id", "=", projectId)
      .where("id", "=", issueId)
      .returning(["number", "title", "parent_id"])
      .executeTakeFirst();
    if (!issue) throw noSuchIssue();
    await announceParents(tx, projectId, [issue.parent_id]);
    await recordAudit(tx, {
      kind: "issue.deleted",
      project_id: projectId,
      subject: { type: "issue", id: issueId, name: issue.title },
      details: { number: issue.number },
    });
  });
}
