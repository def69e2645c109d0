import { refused } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { endLostWatches } from "../../../inform/watches/watches.ts";
import { recordAudit } from "../../../record/audit.ts";
import { withdrawInvitations } from "./withdraw-invitations.ts";
import { lockWorkspace } from "../lock-workspace.ts";
import { isLastAdministrator } from "./last-administrator.ts";
import { readWorkspaceMember } from "./read-members.ts";

/**
 * Removes a member from the workspace, its teams and its projects, and withdraws the invitations to their addresses and those
 * they sent. 422 for the last active administrator.
 */
export async function removeWorkspaceMember(db: Db, workspaceId: number, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await readWorkspaceMember(tx, workspaceId, userId);
    if (await isLastAdministrator(tx, workspaceId, before))
      throw refused("The last administrator of a workspace cannot be removed.");
    await tx
      .deleteFrom("workspace_members")
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", userId)
      .execute();
    await withdrawInvitations(tx, workspaceId, userId);
    await endLostWatches(tx, workspaceId, [userId]);
    await recordAudit(tx, {
      kind: "workspace_member.removed",
      workspace_id: workspaceId,
      subject: { type: "user", id: userId },
      details: { is_admin: before.is_admin },
    });
  });
}
