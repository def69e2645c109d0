import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";

/** The functions of this file run in a transaction that holds the project's lock. */

export async function setTemplateLabels(
  tx: Tx,
  projectId: number,
  templateId: number,
  labelIds: number[],
): Promise<void> {
  await tx.deleteFrom("issue_template_labels").where("template_id", "=", templateId).execute();
  await sql`
    insert into issue_template_labels (project_id, template_id, label_id)
    select ${projectId}, ${templateId}, label_id from unnest(${labelIds}::bigint[]) label_id`.execute(tx);
}

/** Call it before another template becomes the default: a project has at most one. */
export async function clearDefault(tx: Tx, projectId: number): Promise<void> {
  await tx
    .updateTable("issue_templates")
    .set({ is_default: false })
    .where("project_id", "=", projectId)
    .where("is_default", "=", true)
    .execute();
}

export async function announceTemplates(tx: Tx, projectId: number): Promise<void> {
  await announce(tx, [{ kind: "project", project_id: projectId, id: projectId }]);
}
