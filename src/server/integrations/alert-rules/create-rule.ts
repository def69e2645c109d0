import { sql } from "kysely";
import { MAX_ALERT_RULES, type AlertRule, type NewAlertRule } from "../../../shared/alert-rules.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import type { Db } from "../../db/connect.ts";
import { requireRoomForRule } from "../../ingest/project-rules/require-room.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordAudit } from "../../record/audit.ts";
import { requireFittingKind, requireKnownReferences } from "./check-rule.ts";
import { readAlertRule } from "./read-rules.ts";

/** 422 if the rule's parts do not fit together, it names what the project does not have, or the project has 50 rules. */
export async function createAlertRule(
  db: Db,
  project: ProjectRef,
  actorId: number,
  { name, active, when, if: conditions, then, every_minutes }: NewAlertRule,
): Promise<AlertRule> {
  requireFittingKind({ when, if: conditions, then });
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    await requireKnownReferences(tx, project, { if: conditions, then });
    await requireRoomForRule(tx, "alert_rules", project.id, MAX_ALERT_RULES);
    const { rows } = await sql<{ id: number }>`
      insert into alert_rules (project_id, name, active, "when", "if", "then", every_minutes, created_by)
      values (${project.id}, ${name}, ${active}, ${JSON.stringify(when)}::jsonb, ${JSON.stringify(conditions)}::jsonb,
        ${JSON.stringify(then)}::jsonb, ${every_minutes}, ${actorId})
      returning id`.execute(tx);
    const { id } = rows[0] as { id: number };
    await recordAudit(tx, {
      kind: "alert_rule.created",
      project_id: project.id,
      subject: { type: "alert_rule", id, name },
      details: { kind: when.kind, active },
    });
    return readAlertRule(tx, project.id, id);
  });
}
