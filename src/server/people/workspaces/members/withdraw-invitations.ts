import { sql } from "kysely";
import { recordAudits } from "../../../record/audit.ts";
import type { Tx } from "../../../db/connect.ts";

/**
 * Deletes the workspace's invitations that would bring back a removed member: those to an address of theirs, and those
 * they sent, perhaps to an address that only they know.
 */
export async function withdrawInvitations(tx: Tx, workspaceId: number, userId: number): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`
    delete from invitations i where i.workspace_id = ${workspaceId} and (i.invited_by = ${userId} or fold_case(i.email) in (
      select fold_case(email) from users where id = ${userId}
      union all select fold_case(email) from address_confirmations where user_id = ${userId}
      union all select fold_case(email) from identities where user_id = ${userId} and email is not null
    ))
    returning i.id, i.email as name`.execute(tx);
  await recordAudits(
    tx,
    rows.map((invitation) => ({
      kind: "invitation.deleted",
      workspace_id: workspaceId,
      subject: { type: "invitation", ...invitation },
    })),
  );
}
