import type { z } from "zod";
import type { InboundRule, inboundRuleChanges } from "../../../../shared/inbound-rules.ts";
import type { Db } from "../../../db/connect.ts";
import { changedColumns } from "../../../db/patch-columns.ts";
import { lockProject } from "../../../people/projects/lock-project.ts";
import { recordAudit } from "../../../record/audit.ts";
import { requireUsableRule } from "./check-rule.ts";
import { readInboundRule } from "./read-rules.ts";

/**
 * 404 if it is not a rule of this project, 422 if its pattern would be invalid or missing afterwards. Ends the pause of a rule that
 * is switched on or gets a kind or pattern, even the same one.
 */
export async function updateInboundRule(
  db: Db,
  projectId: number,
  ruleId: number,
  { kind, pattern, active }: z.output<typeof inboundRuleChanges>,
): Promise<InboundRule> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const before = await readInboundRule(tx, projectId, ruleId);
    const isSaved = kind !== undefined || pattern !== undefined;
    const resumes = before.paused_at !== null && (isSaved || active === true);
    const changes = changedColumns(before, {
      kind,
      pattern,
      ...(resumes ? { active: active ?? true, paused_at: null } : { active }),
    });
    if (!changes) return before;
    const after = { ...before, ...changes, kind: changes.kind ?? before.kind };
    if (changes.kind !== undefined || changes.pattern !== undefined)
      requireUsableRule({ kind: after.kind, pattern: after.pattern ?? null });
    await tx.updateTable("inbound_rules").set(changes).where("id", "=", ruleId).execute();
    await recordAudit(tx, {
      kind: "inbound_rule.changed",
      project_id: projectId,
      subject: { type: "inbound_rule", id: ruleId, name: after.kind },
      details: { fields: Object.keys(changes), active: after.active },
    });
    return readInboundRule(tx, projectId, ruleId);
  });
}
