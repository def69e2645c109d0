import type { z } from "zod";
import type { PrivacyRule, privacyRuleChanges } from "../../../../shared/privacy-rules.ts";
import type { Db } from "../../../db/connect.ts";
import { changedColumns } from "../../../db/patch-columns.ts";
import { requireFreeName } from "../../../db/require-free-name.ts";
import { lockProject } from "../../../people/projects/lock-project.ts";
import { recordAudit } from "../../../record/audit.ts";
import { usableRule } from "./check-rule.ts";
import { asOwn, COLUMNS, noSuchRule, readPrivacyRule } from "./read-rules.ts";

/** 404 if it is not a rule of this project. 422 if it would be invalid afterwards, or the name is taken. */
export async function updatePrivacyRule(
  db: Db,
  projectId: number,
  ruleId: number,
  body: z.output<typeof privacyRuleChanges>,
): Promise<PrivacyRule> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const before = await readPrivacyRule(tx, projectId, ruleId);
    const changes = changedColumns(before, body);
    if (!changes) return asOwn(before);
    usableRule({ ...before, ...changes, name: changes.name ?? before.name });
    if (changes.name !== undefined)
      await requireFreeName(tx, { table: "privacy_rules", project_id: projectId }, changes.name, ruleId);
    const row = await tx
      .updateTable("privacy_rules")
      .set(changes)
      .where("id", "=", ruleId)
      .returning(COLUMNS)
      .executeTakeFirst();
    // Deleting a rule does not wait for the project's lock.
    if (!row) throw noSuchRule();
    await recordAudit(tx, {
      kind: "privacy_rule.changed",
      project_id: projectId,
      subject: { type: "privacy_rule", id: ruleId, name: row.name },
      details: { fields: Object.keys(changes), active: row.active },
    });
    return asOwn(row);
  });
}
