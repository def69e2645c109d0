import { sql } from "kysely";
import type { Features } from "../../shared/workspaces.ts";
import type { Db } from "../db/connect.ts";
import type { Caller } from "./caller.ts";
import { forToken } from "./token-limits.ts";

/** A part of the product that a workspace can switch off. */
export type Feature = keyof Features;

/** The features of the workspace `w` of the surrounding query, as the API returns them. */
export const featuresOfW = sql<Features>`
  json_build_object('reports', w.reports_enabled, 'error_tracking', w.error_tracking_enabled)`;

/**
 * Whether the caller can access projects (for a token, those that it is for), but the feature is off in all of their workspaces.
 * False for a caller without any project.
 */
export async function isFeatureOffEverywhere(db: Db, caller: Caller, feature: Feature): Promise<boolean> {
  const { rows } = await sql<{ is_off: boolean | null }>`
    select not bool_or(${sql.ref(`w.${feature}_enabled`)}) as is_off
    from project_grants g
    join projects p on p.id = g.project_id
    join workspaces w on w.id = p.workspace_id
    where g.user_id = ${caller.user_id} and ${forToken(caller, sql`g.project_id`)}`.execute(db);
  // A project token without access has lost its creator's permissions.
  return rows[0]?.is_off ?? caller.kind === "project";
}
