import type { z } from "zod";
import type { IssueTemplate, issueTemplateChanges } from "../../../shared/issue-templates.ts";
import type { Db } from "../../db/connect.ts";
import { changedColumns } from "../../db/patch-columns.ts";
import { requireFreeName } from "../../db/require-free-name.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordAudit } from "../../record/audit.ts";
import { type ProjectRef, requireReferences } from "../issues/references.ts";
import { readTemplate } from "./read-templates.ts";
import { announceTemplates, clearDefault, setTemplateLabels } from "./template-rows.ts";

/** Changes the given fields. 404 if it is not a template of this project, 422 as for a new one. */
export async function updateTemplate(
  db: Db,
  project: ProjectRef,
  templateId: number,
  body: z.output<typeof issueTemplateChanges>,
): Promise<IssueTemplate> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    const before = await readTemplate(tx, project.id, templateId);
    const label_ids = body.label_ids === null ? [] : body.label_ids;
    const changes = changedColumns(before, { ...body, label_ids });
    if (!changes) return before;
    const { label_ids: labels, ...columns } = changes;
    if (columns.name !== undefined)
      await requireFreeName(
        tx,
        { table: "issue_templates", project_id: project.id },
        columns.name,
        templateId,
      );
    await requireReferences(tx, project, { lane_id: columns.lane_id ?? undefined, label_ids: labels });
    if (columns.is_default === true) await clearDefault(tx, project.id);
    if (Object.keys(columns).length > 0)
      await tx.updateTable("issue_templates").set(columns).where("id", "=", templateId).execute();
    if (labels !== undefined) await setTemplateLabels(tx, project.id, templateId, labels);
    const after = await readTemplate(tx, project.id, templateId);
    await recordAudit(tx, {
      kind: "issue_template.changed",
      project_id: project.id,
      subject: { type: "issue_template", id: templateId, name: after.name },
      details: { fields: Object.keys(changes) },
    });
    await announceTemplates(tx, project.id);
    return after;
  });
}
