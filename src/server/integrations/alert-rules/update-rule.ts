import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { AlertRule, AlertRuleChanges } from "../../../shared/alert-rules.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordAudit } from "../../record/audit.ts";
import { requireFittingKind, requireKnownReferences } from "./check-rule.ts";
import { readAlertRule } from "./read-rules.ts";

/**
 * Changes the given fields. 404 if it is not a rule of this project, 422 as when it is created; ids that are not sent again are not
 * checked. What a rule has counted and fired ends with a change of what it fires for.
 */
export async function updateAlertRule(
  db: Db,
  project: ProjectRef,
  ruleId: number,
  sent: AlertRuleChanges,
): Promise<AlertRule> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    const before = await readAlertRule(tx, project.id, ruleId);
    const changes = changedFields(before, sent);
    if (Object.keys(changes).length === 0) return before;
    const after: AlertRule = { ...before, ...changes };
    requireFittingKind(after);
    await requireKnownReferences(tx, project, { if: changes.if ?? {}, then: changes.then ?? [] });
    await write(tx, ruleId, after, changes);
    if (changes.when !== undefined || changes.if !== undefined || changes.active !== undefined)
      await startAgain(tx, ruleId);
    await recordAudit(tx, {
      kind: "alert_rule.changed",
      project_id: project.id,
      subject: { type: "alert_rule", id: ruleId, name: after.name },
      details: { fields: Object.keys(changes), active: after.active },
    });
    return readAlertRule(tx, project.id, ruleId);
  });
}

function changedFields(before: AlertRule, sent: AlertRuleChanges): Partial<AlertRule> {
  // As they are stored: without undefined fields.
  const fields = JSON.parse(JSON.stringify(sent)) as Partial<AlertRule>;
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !isDeepStrictEqual(value, before[name as keyof AlertRule]),
    ),
  );
}

/** A default rule that fires for something else becomes an ordinary one, with the limit that it showed: only default rules have none. */
async function write(tx: Tx, ruleId: number, after: AlertRule, changes: Partial<AlertRule>): Promise<void> {
  const staysDefault = sql`is_default and "when" ->> 'kind' = ${after.when.kind}`;
  await sql`
    update alert_rules set name = ${after.name}, active = ${after.active}, "when" = ${JSON.stringify(after.when)}::jsonb,
      "if" = ${JSON.stringify(after.if)}::jsonb, "then" = ${JSON.stringify(after.then)}::jsonb,
      every_minutes = coalesce(${changes.every_minutes ?? null}::int,
        case when ${staysDefault} then every_minutes else ${after.every_minutes} end),
      is_default = ${staysDefault}, updated_at = clock_timestamp()
    where id = ${ruleId}`.execute(tx);
}

async function startAgain(tx: Tx, ruleId: number): Promise<void> {
  for (const table of ["alert_firings", "alert_rule_counts"] as const)
    await tx.deleteFrom(table).where("rule_id", "=", ruleId).execute();
}
