import { BUILT_IN_ROLES } from "../../../shared/permissions.ts";
import type { Tx } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";

export type NewWorkspace = {
  name: string;
  features?: { reports?: boolean | undefined; error_tracking?: boolean | undefined } | undefined;
};

/** Creates a workspace with the built-in roles and the user as administrator; returns its id. */
export async function createWorkspace(tx: Tx, actorId: number, workspace: NewWorkspace): Promise<number> {
  const { id } = await tx
    .insertInto("workspaces")
    .values({
      name: workspace.name,
      reports_enabled: workspace.features?.reports ?? true,
      error_tracking_enabled: workspace.features?.error_tracking ?? true,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("workspace_members")
    .values({ workspace_id: id, user_id: actorId, is_admin: true })
    .execute();
  await tx
    .insertInto("roles")
    .values(
      BUILT_IN_ROLES.map((role) => ({
        workspace_id: id,
        name: role.name,
        permissions: [...role.permissions],
        built_in: true,
      })),
    )
    .execute();
  await recordAudit(tx, {
    kind: "workspace.created",
    workspace_id: id,
    actor_id: actorId,
    subject: { type: "workspace", id, name: workspace.name },
  });
  return id;
}
