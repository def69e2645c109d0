import { sql } from "kysely";
import type { z } from "zod";
import {
  type IssueTemplate,
  type issueTemplateBody,
  MAX_ISSUE_TEMPLATES,
} from "../../../shared/issue-templates.ts";
import { FEATURE, MEDIUM } from "../../../shared/issues.ts";
import { refused } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { requireFreeName } from "../../db/require-free-name.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordAudit } from "../../record/audit.ts";
import { type ProjectRef, requireReferences } from "../issues/references.ts";
import { readTemplate } from "./read-templates.ts";
import { announceTemplates, clearDefault, setTemplateLabels } from "./template-rows.ts";

/** 422 if the name is taken, the lane or a label is not in the project, or the project has as many templates as it can have. */
export async function createTemplate(
  db: Db,
  project: ProjectRef,
  body: z.output<typeof issueTemplateBody>,
): Promise<IssueTemplate> {
  const { label_ids = [], is_default = false, name } = body;
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    const { count } = await tx
      .selectFrom("issue_templates")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("project_id", "=", project.id)
      .executeTakeFirstOrThrow();
    if (count >= MAX_ISSUE_TEMPLATES)
      throw refused(`A project can have at most ${MAX_ISSUE_TEMPLATES} issue templates. Delete one first.`);
    await requireFreeName(tx, { table: "issue_templates", project_id: project.id }, name);
    await requireReferences(tx, project, { lane_id: body.lane_id, label_ids });
    if (is_default) await clearDefault(tx, project.id);
    const { id } = await tx
      .insertInto("issue_templates")
      .values({
        project_id: project.id,
        name,
        title: body.title ?? null,
        description: body.description ?? null,
        type: body.type ?? FEATURE,
        priority: body.priority ?? MEDIUM,
        lane_id: body.lane_id ?? null,
        is_default,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await setTemplateLabels(tx, project.id, id, label_ids);
    await recordAudit(tx, {
      kind: "issue_template.created",
      project_id: project.id,
      subject: { type: "issue_template", id, name },
    });
    await announceTemplates(tx, project.id);
    return readTemplate(tx, project.id, id);
  });
}
