import type { Db } from "../../db/connect.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordAudit } from "../../record/audit.ts";
import { noSuchTemplate } from "./read-templates.ts";
import { announceTemplates } from "./template-rows.ts";

/** Issues that were created from it stay as they are. 404 if it is not a template of this project. */
export async function deleteTemplate(db: Db, projectId: number, templateId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const template = await tx
      .deleteFrom("issue_templates")
      .where("project_id", "=", projectId)
      .where("id", "=", templateId)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!template) throw noSuchTemplate();
    await recordAudit(tx, {
      kind: "issue_template.deleted",
      project_id: projectId,
      subject: { type: "issue_template", ...template },
    });
    await announceTemplates(tx, projectId);
  });
}
