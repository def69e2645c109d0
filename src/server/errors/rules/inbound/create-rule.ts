import type { z } from "zod";
import {
  type InboundRule,
  type inboundRuleBody,
  MAX_INBOUND_RULES,
} from "../../../../shared/inbound-rules.ts";
import type { Db } from "../../../db/connect.ts";
import { lockProject } from "../../../people/projects/lock-project.ts";
import { recordAudit } from "../../../record/audit.ts";
import { requireRoomForRule } from "../../../ingest/project-rules/require-room.ts";
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
    await requireRoomForRule(tx, "inbound_rules", projectId, MAX_INBOUND_RULES);
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
