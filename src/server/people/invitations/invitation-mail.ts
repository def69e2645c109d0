import type { Tx } from "../../db/connect.ts";
import type { NewMail } from "../../mail/queue-mail.ts";

type Sender = {
  workspaceId: number;
  actorId: number;
  email: string;
  path: string;
  proof: string;
  days: number;
};

/** The mail with the link of an invitation. No preference turns it off, because it is not a notification. */
export async function invitationMail(tx: Tx, sender: Sender): Promise<NewMail> {
  const { workspaceId, actorId, email, path, proof, days } = sender;
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
      `${person.first_name} ${person.last_name} has invited you to ${workspace.name} on Signalbox.`,
      `The invitation works once, within ${days} days. If you were not expecting it, you can ignore this email.`,
    ],
    button: { label: "Accept invitation", path },
    preference: null,
    secret: true,
    proof,
  };
}
