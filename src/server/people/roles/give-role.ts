import type { Access } from "../../access/project-access.ts";
import type { Tx } from "../../db/connect.ts";
import { forbidden } from "../../answers/errors.ts";

/** The permissions of the role, which is locked until the transaction ends; undefined if there is no such role. */
export async function lockRolePermissions(
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

/** 403 unless the caller holds all permissions of the role: nobody can raise someone above themselves. */
export function requirePermissions(access: Access, permissions: string[]): void {
  if (!access.all && !permissions.every((permission) => access.permissions.has(permission)))
    throw forbidden("You cannot assign a role with more permissions than your own.");
}
