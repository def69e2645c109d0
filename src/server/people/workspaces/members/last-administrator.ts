import type { WorkspaceMember } from "../../../../shared/workspaces.ts";
import type { Tx } from "../../../db/connect.ts";

export const isAdministrator = (member: WorkspaceMember) => member.is_admin && member.active;

/**
 * Whether no other administrator of the workspace is active. Asked under the workspace's lock, or two administrators
 * could take each other out.
 */
export async function isLast(tx: Tx, workspaceId: number, userId: number): Promise<boolean> {
  const other = await tx
    .selectFrom("workspace_members")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "<>", userId)
    .where("is_admin", "=", true)
    .where("deactivated_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}
