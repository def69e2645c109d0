import { sql } from "kysely";
import type { Page } from "../../../../shared/answers.ts";
import { DROPPED_DAYS, type InboundRule } from "../../../../shared/inbound-rules.ts";
import { notFound } from "../../../answers/errors.ts";
import { readPage, type PageQuery } from "../../../answers/page.ts";
import type { Db } from "../../../db/connect.ts";

/** In the order of their creation. */
export const listInboundRules = (db: Db, projectId: number, query: PageQuery): Promise<Page<InboundRule>> =>
  readPage(rulesOf(db, projectId), query, "r.id");

/** 404 if it is not a rule of this project. */
export async function readInboundRule(db: Db, projectId: number, ruleId: number): Promise<InboundRule> {
  const row = await rulesOf(db, projectId).where("r.id", "=", ruleId).executeTakeFirst();
  if (!row) throw noSuchRule();
  return row;
}

const rulesOf = (db: Db, projectId: number) =>
  db
    .selectFrom("inbound_rules as r")
    .select(["r.id", "r.kind", "r.pattern", "r.active"])
    .select(sql<string | null>`case when not r.active then r.paused_at end`.as("paused_at"))
    .select(
      sql<number>`(select coalesce(sum(d.dropped), 0)::bigint from inbound_rule_drops d where d.rule_id = r.id
        and d.day > (now() at time zone 'UTC')::date - ${DROPPED_DAYS}::int)`.as("dropped_30_days"),
    )
    .where("r.project_id", "=", projectId)
    .$castTo<InboundRule>();

export const noSuchRule = () => notFound("There is no such inbound rule.");
