import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { noSuchRule } from "./read-rules.ts";

/** 404 if it is not a rule of this project. */
export async function deleteAlertRule(db: Db, projectId: number, ruleId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rule = await tx
      .deleteFrom("alert_rules")
      .where("project_id", "=", projectId)
      .where("id", "=", ruleId)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!rule) throw noSuchRule();
    await recordAudit(tx, {
      kind: "alert_rule.deleted",
      project_id: projectId,
      subject: { type: "alert_rule", id: rule.id, name: rule.name },
    });
  });
}
