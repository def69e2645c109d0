import type { Access } from "../../access/project-access.ts";
import type { Tx } from "../../db/connect.ts";
import { forbidden } from "../../answers/errors.ts";

/** The permissions of a role of the workspace, which stays as it is until the transaction ends; else undefined. */
export async function permissionsOf(
  tx: Tx,
  workspaceId: number,
  roleId: number,
): Promise<string[] | undefined> {
  const row = await tx
    .selectFrom("roles")
    .select("permissions")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", roleId)
    .forShare()
    .executeTakeFirst();
  return row?.permissions;
}

/** A role is given only by somebody who holds all of its permissions themselves; else 403. */
export function requireEach(access: Access, permissions: string[]): void {
  if (!access.all && !permissions.every((permission) => access.permissions.has(permission)))
    throw forbidden("You cannot give a role that may do more than you.");
}
