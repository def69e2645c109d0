import type { z } from "zod";
import {
  MAX_PRIVACY_RULES,
  type PrivacyRule,
  type privacyRuleBody,
} from "../../../../shared/privacy-rules.ts";
import type { Db } from "../../../db/connect.ts";
import { requireFreeName } from "../../../db/require-free-name.ts";
import { lockProject } from "../../../people/projects/lock-project.ts";
import { recordAudit } from "../../../record/audit.ts";
import { requireRoomForRule } from "../../../ingest/project-rules/require-room.ts";
import { usableRule } from "./check-rule.ts";
import { asOwn, COLUMNS } from "./read-rules.ts";

/** 422 if a pattern is invalid, the name is taken, or the project has as many rules as it can have. */
export async function createPrivacyRule(
  db: Db,
  projectId: number,
  body: z.output<typeof privacyRuleBody>,
): Promise<PrivacyRule> {
  const rule = usableRule(body);
  const { name } = rule;
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    await requireRoomForRule(tx, "privacy_rules", projectId, MAX_PRIVACY_RULES);
    await requireFreeName(tx, { table: "privacy_rules", project_id: projectId }, name);
    const row = await tx
      .insertInto("privacy_rules")
      .values({ project_id: projectId, ...rule, active: body.active ?? true })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "privacy_rule.created",
      project_id: projectId,
      subject: { type: "privacy_rule", id: row.id, name },
      details: { active: row.active },
    });
    return asOwn(row);
  });
}
