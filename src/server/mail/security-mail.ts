import { sql } from "kysely";
import type { Db, Tx } from "../db/connect.ts";
import { currentOrigin } from "../record/origin.ts";
import { queueMails } from "./queue-mail.ts";

type Notice = {
  subject: string;
  /** What happened, in the past tense: "The password was changed." Never text that a stranger can choose. */
  body: string;
  /** The recipient if it is not the user's current address. */
  to?: string;
};

/**
 * Queues an email about the security of a user's own account. No preference turns it off, and no administrator sees it.
 */
export async function queueSecurityMail(
  tx: Tx | Db,
  userId: number,
  { subject, body, to }: Notice,
): Promise<void> {
  const { rows } = await sql<{ username: string }>`select username from users where id = ${userId}`.execute(
    tx,
  );
  const [user] = rows;
  if (!user) return;
  const { ip } = currentOrigin();
  const from = ip === null ? "" : ` The request came from the address ${ip}.`;
  const mail = {
    workspace_id: null,
    subject,
    lines: [
      `${body} This concerns your Signalbox account ${user.username}.${from}`,
      "If it was you, there is nothing to do. If not, set a new password, revoke the tokens you do not know, and tell an administrator.",
    ],
    button: { label: "Check your account", path: "/settings/profile?section=security" },
    preference: null,
  };
  await queueMails(tx as Tx, [
    to === undefined ? { ...mail, user_id: userId } : { ...mail, user_id: null, to },
  ]);
}
