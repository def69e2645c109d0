import type { Tx } from "../../db/connect.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";
import { recordAudit } from "../../record/audit.ts";

type Before = { email: string; email_verified: boolean };

/** Records a changed address, tells the previous one, and voids the reset links sent to it. */
export async function recordAddressChange(
  tx: Tx,
  userId: number,
  email: string,
  before: Before,
): Promise<void> {
  const account = { account_id: userId, subject: { type: "user", id: userId } } as const;
  if (email === before.email) {
    await recordAudit(tx, { kind: "profile.email_confirmed", ...account, details: { email } });
    return;
  }
  await tx.deleteFrom("password_resets").where("user_id", "=", userId).execute();
  if (before.email_verified)
    await queueSecurityMail(tx, userId, {
      subject: "Your email address was changed",
      body: `The email address was changed to ${email}.`,
      to: before.email,
    });
  await recordAudit(tx, {
    kind: "profile.email_changed",
    ...account,
    details: { email, email_before: before.email },
  });
}
