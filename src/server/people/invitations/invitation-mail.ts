import type { Tx } from "../../db/connect.ts";
import type { NewMail } from "../../mail/queue-mail.ts";

type Sent = { workspaceId: number; actorId: number; email: string; path: string; days: number };

/** What somebody who is invited reads. It is no notification: no switch turns it off (decisions.md 4). */
export async function invitationMail(tx: Tx, sent: Sent): Promise<NewMail> {
  const { workspaceId, actorId, email, path, days } = sent;
  const workspace = await tx
    .selectFrom("workspaces")
    .select("name")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const person = await tx
    .selectFrom("users")
    .select(["first_name", "last_name"])
    .where("id", "=", actorId)
    .executeTakeFirstOrThrow();
  return {
    workspace_id: workspaceId,
    user_id: null,
    to: email,
    subject: `Invitation to ${workspace.name}`,
    lines: [
      `${person.first_name} ${person.last_name} invites you to ${workspace.name} on Signalbox.`,
      `The invitation works once, within ${days} days. If you do not know what it is about, leave it.`,
    ],
    button: { label: "Accept the invitation", path },
    preference: null,
    secret: true,
  };
}
