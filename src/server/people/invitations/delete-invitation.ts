import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";

export async function deleteInvitation(db: Db, workspaceId: number, invitationId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const invitation = await tx
      .deleteFrom("invitations")
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", invitationId)
      .returning(["id", "email as name"])
      .executeTakeFirst();
    if (!invitation) throw notFound("There is no such invitation.");
    await recordAudit(tx, {
      kind: "invitation.deleted",
      workspace_id: workspaceId,
      subject: { type: "invitation", ...invitation },
    });
  });
}
