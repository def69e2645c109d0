import type { Db } from "../../../db/connect.ts";
import { recordAudit } from "../../../record/audit.ts";
import { noSuchRule } from "./read-rules.ts";

/** 404 if it is not a rule of this project. */
export async function deleteInboundRule(db: Db, projectId: number, ruleId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rule = await tx
      .deleteFrom("inbound_rules")
      .where("project_id", "=", projectId)
      .where("id", "=", ruleId)
      .returning(["id", "kind"])
      .executeTakeFirst();
    if (!rule) throw noSuchRule();
    await recordAudit(tx, {
      kind: "inbound_rule.deleted",
      project_id: projectId,
      subject: { type: "inbound_rule", id: rule.id, name: rule.kind },
    });
  });
}
