import { sql } from "kysely";
import type { AlertRule } from "../../../shared/alert-rules.ts";
import type { Page } from "../../../shared/answers.ts";
import { notFound } from "../../answers/errors.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";

/** In the order of their creation: the default ones first. */
export const listAlertRules = (db: Db, projectId: number, query: PageQuery): Promise<Page<AlertRule>> =>
  readPage(rulesOf(db, projectId), query, "r.id");

/** 404 if it is not a rule of this project. */
export async function readAlertRule(db: Db, projectId: number, ruleId: number): Promise<AlertRule> {
  const row = await rulesOf(db, projectId).where("r.id", "=", ruleId).executeTakeFirst();
  if (!row) throw noSuchRule();
  return row;
}

const rulesOf = (db: Db, projectId: number) =>
  db
    .selectFrom("alert_rules as r")
    .leftJoin("alert_rule_firings as f", "f.rule_id", "r.id")
    .select(["r.id", "r.name", "r.active", "r.when", "r.if", "r.then"])
    // Default rules have no limit, which is shown as the smallest one.
    .select(sql<number>`greatest(r.every_minutes, 1)`.as("every_minutes"))
    .select(
      sql<string | null>`case when r.muted_until > clock_timestamp() then r.muted_until end`.as(
        "muted_until",
      ),
    )
    .select(["f.last_fired_at", "r.created_by", "r.created_at", "r.updated_at"])
    .where("r.project_id", "=", projectId)
    .$castTo<AlertRule>();

export const noSuchRule = () => notFound("There is no such alert rule.");
