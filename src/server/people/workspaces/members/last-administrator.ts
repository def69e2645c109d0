import type { WorkspaceMember } from "../../../../shared/workspaces.ts";
import type { Tx } from "../../../db/connect.ts";

/**
 * Whether the member is the last active administrator. Call it with the workspace locked: otherwise two administrators
 * could remove each other at the same time.
 */
export async function isLastAdministrator(
  tx: Tx,
  workspaceId: number,
  member: WorkspaceMember,
): Promise<boolean> {
  if (!member.is_admin || !member.active) return false;
  const other = await tx
    .selectFrom("workspace_members")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "<>", member.user_id)
    .where("is_admin", "=", true)
    .where("deactivated_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}
