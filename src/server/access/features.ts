import { sql } from "kysely";
import type { Features } from "../../shared/workspaces.ts";
import type { Db } from "../db/connect.ts";
import type { Caller } from "./caller.ts";

/** A part of the product that a workspace can switch off. */
export type Feature = keyof Features;

/** The features of the workspace `w` of the surrounding query, as the API returns them. */
export const featuresOfW = sql<Features>`
  json_build_object('reports', w.reports_enabled, 'error_tracking', w.error_tracking_enabled)`;

/**
 * Whether the feature is on in any workspace of which the caller is an active member; for a project token, in the
 * workspace of its project.
 */
export async function hasFeatureSomewhere(db: Db, caller: Caller, feature: Feature): Promise<boolean> {
  const enabled = sql.ref(`w.${feature}_enabled`);
  const { rows } = await (
    caller.kind === "project"
      ? sql`select from projects p join workspaces w on w.id = p.workspace_id and ${enabled} where p.id = ${caller.project_id}`
      : sql`select from workspace_members m join workspaces w on w.id = m.workspace_id and ${enabled}
        where m.user_id = ${caller.user_id} and m.deactivated_at is null limit 1`
  ).execute(db);
  return rows.length > 0;
}
