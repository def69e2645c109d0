import type { Page } from "../../../../shared/answers.ts";
import type { PrivacyRule } from "../../../../shared/privacy-rules.ts";
import { notFound } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { BUILT_IN_RULES } from "../../../ingest/remove-personal-data/built-in-rules.ts";

export const COLUMNS = ["id", "name", "key_pattern", "value_pattern", "active"] as const;

type Row = Pick<PrivacyRule, "name" | "key_pattern" | "value_pattern" | "active"> & { id: number };

/** The built-in rules, then the project's own ones in the order of their creation. */
export async function listPrivacyRules(db: Db, projectId: number): Promise<Page<PrivacyRule>> {
  const rows = await db
    .selectFrom("privacy_rules")
    .select(COLUMNS)
    .where("project_id", "=", projectId)
    .orderBy("id")
    .execute();
  return { data: [...BUILT_IN, ...rows.map(asOwn)], meta: { next_cursor: null } };
}

const BUILT_IN: readonly PrivacyRule[] = BUILT_IN_RULES.map(({ name, removes }) => ({
  id: null,
  name,
  key_pattern: null,
  value_pattern: null,
  active: true,
  built_in: true,
  description: removes,
}));

export const asOwn = (row: Row): PrivacyRule => ({ ...row, built_in: false, description: null });

/** 404 if it is not a rule of this project. */
export async function readPrivacyRule(db: Db, projectId: number, ruleId: number): Promise<Row> {
  const row = await db
    .selectFrom("privacy_rules")
    .select(COLUMNS)
    .where("project_id", "=", projectId)
    .where("id", "=", ruleId)
    .executeTakeFirst();
  if (!row) throw noSuchRule();
  return row;
}

export const noSuchRule = () => notFound("There is no such privacy rule.");
