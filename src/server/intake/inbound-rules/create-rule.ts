import { sql } from "kysely";
import type { z } from "zod";
import { type InboundRule, type inboundRuleBody, MAX_INBOUND_RULES } from "../../../shared/inbound-rules.ts";
import { refused } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordAudit } from "../../record/audit.ts";
import { requireUsableRule } from "./check-rule.ts";
import { readInboundRule } from "./read-rules.ts";

/** 422 if the pattern is invalid, or the project has as many rules as it can have. */
export async function createInboundRule(
  db: Db,
  projectId: number,
  { kind, pattern, active = true }: z.output<typeof inboundRuleBody>,
): Promise<InboundRule> {
  const rule = { kind, pattern: pattern ?? null };
  requireUsableRule(rule);
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const { count } = await tx
      .selectFrom("inbound_rules")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("project_id", "=", projectId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_INBOUND_RULES)
      throw refused(`A project can have at most ${MAX_INBOUND_RULES} inbound rules. Delete one first.`);
    const { id } = await tx
      .insertInto("inbound_rules")
      .values({ project_id: projectId, ...rule, active })
      .returning("id")
      .executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "inbound_rule.created",
      project_id: projectId,
      subject: { type: "inbound_rule", id, name: kind },
      details: { active },
    });
    return readInboundRule(tx, projectId, id);
  });
}
