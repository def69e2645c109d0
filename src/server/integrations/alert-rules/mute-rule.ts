import type { AlertRule } from "../../../shared/alert-rules.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { noSuchRule, readAlertRule } from "./read-rules.ts";

/** Silences the rule until then; null ends the silence. 404 if it is not a rule of this project. */
export async function muteAlertRule(
  db: Db,
  projectId: number,
  ruleId: number,
  until: string | null,
): Promise<AlertRule> {
  return db.transaction().execute(async (tx) => {
    const rule = await tx
      .updateTable("alert_rules")
      .set({ muted_until: until })
      .where("project_id", "=", projectId)
      .where("id", "=", ruleId)
      .returning("name")
      .executeTakeFirst();
    if (!rule) throw noSuchRule();
    await recordAudit(tx, {
      kind: until === null ? "alert_rule.unmuted" : "alert_rule.muted",
      project_id: projectId,
      subject: { type: "alert_rule", id: ruleId, name: rule.name },
      details: { until },
    });
    return readAlertRule(tx, projectId, ruleId);
  });
}
