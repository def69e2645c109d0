import { sql, type RawBuilder } from "kysely";
import { lockProject } from "../../people/projects/lock-project.ts";
import { lockWorkspace } from "../../people/workspaces/lock-workspace.ts";
import type { Tx } from "../../db/connect.ts";

/** A project, or a workspace whose webhooks are told of all its projects. */
export type WebhookOwner = { workspace_id: number; project_id: number | null };

/** The webhooks of the owner. A workspace's are not those of its projects. */
export const ofOwner = ({ workspace_id, project_id }: WebhookOwner): RawBuilder<boolean> =>
  project_id === null
    ? sql`(webhooks.workspace_id = ${workspace_id} and webhooks.project_id is null)`
    : sql`webhooks.project_id = ${project_id}`;

/** Serializes changes of the owner's webhooks. */
export async function lockOwner(tx: Tx, { workspace_id, project_id }: WebhookOwner): Promise<void> {
  if (project_id === null) await lockWorkspace(tx, workspace_id);
  else await lockProject(tx, project_id);
}

/** Administrators of the workspace see the entry in either case. */
export const auditScope = ({ workspace_id, project_id }: WebhookOwner) =>
  project_id === null ? { workspace_id } : { project_id };
