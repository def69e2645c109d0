import { sql } from "kysely";
import { forbidden } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { type LockedInvitation, joinProjects } from "./join-projects.ts";

/**
 * Makes the user a member of the invitation's workspace and projects, and deletes the invitation. Existing members keep a role
 * that permits more. 403 for deactivated members, because an old invitation must not reactivate them. The caller holds the
 * workspace's lock.
 */
export async function joinWorkspace(tx: Tx, invitation: LockedInvitation, userId: number): Promise<void> {
  const member = await tx
    .insertInto("workspace_members")
    .values({ workspace_id: invitation.workspace_id, user_id: userId, is_admin: invitation.is_admin })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "user_id"])
        .doUpdateSet({ is_admin: sql<boolean>`workspace_members.is_admin or excluded.is_admin` })
        .where("workspace_members.deactivated_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  if (!member)
    throw forbidden(
      "You were deactivated in this workspace. Ask one of its administrators to reactivate you.",
    );
  const { id, email, workspace_id, is_admin } = invitation;
  await recordAudit(tx, {
    kind: "invitation.accepted",
    workspace_id,
    actor_id: userId,
    subject: { type: "invitation", id, name: email },
    details: { is_admin },
  });
  await joinProjects(tx, invitation, userId);
  await tx.deleteFrom("invitations").where("id", "=", invitation.id).execute();
}
