import { sql } from "kysely";
import type { Page } from "../../../shared/answers.ts";
import type { IssueTemplate } from "../../../shared/issue-templates.ts";
import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

/** All templates of the project by name. The limit makes one page enough. */
export async function listTemplates(db: Db, projectId: number): Promise<Page<IssueTemplate>> {
  const { rows } = await sql<IssueTemplate>`
    ${templatesOf(projectId)} order by lower(t.name), t.id`.execute(db);
  return { data: rows, meta: { next_cursor: null } };
}

/** 404 if the project has no such template. */
export async function readTemplate(db: Db, projectId: number, templateId: number): Promise<IssueTemplate> {
  const template = await findTemplate(db, projectId, templateId);
  if (!template) throw noSuchTemplate();
  return template;
}

export async function findTemplate(
  db: Db,
  projectId: number,
  templateId: number,
): Promise<IssueTemplate | undefined> {
  const { rows } = await sql<IssueTemplate>`${templatesOf(projectId)} and t.id = ${templateId}`.execute(db);
  return rows[0];
}

export const noSuchTemplate = () => notFound("There is no such issue template.");

const templatesOf = (projectId: number) => sql`
  select t.id, t.project_id, t.name, t.title, t.description, t.type, t.priority, t.lane_id,
    array(select l.label_id from issue_template_labels l where l.template_id = t.id order by l.label_id) as label_ids,
    t.is_default, t.created_at
  from issue_templates t where t.project_id = ${projectId}`;
