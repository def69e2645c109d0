import { sql } from "kysely";
import { recordAudit } from "../../record/audit.ts";
import { wrongPassword, type Account } from "../../access/current-password.ts";
import { hashPassword } from "../../access/passwords.ts";
import { openSession, type Browser } from "../../access/sessions.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";
import type { Db } from "../../db/connect.ts";

/**
 * Sets a new password, voids mailed links, ends all sessions, and opens one for the browser; returns its secret.
 * 422 on `current_password` if the password has changed since the account was read.
 */
export async function changePassword(
  db: Db,
  account: Account,
  password: string,
  browser: Browser,
): Promise<string> {
  const userId = account.id;
  const password_hash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable("users")
      .set({ password_hash, password_set_at: sql`clock_timestamp()` })
      .where("id", "=", userId)
      .where("password_hash", "is not distinct from", account.password_hash)
      .returning("id")
      .executeTakeFirst();
    if (!changed) throw wrongPassword();
    await tx.deleteFrom("address_confirmations").where("user_id", "=", userId).execute();
    await tx.deleteFrom("password_resets").where("user_id", "=", userId).execute();
    await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
    await recordAudit(tx, {
      kind: "password.changed",
      account_id: userId,
      subject: { type: "user", id: userId },
    });
    await queueSecurityMail(tx, userId, {
      subject: "Your password was changed",
      body: "The password was changed, which ended all other sessions.",
    });
    return openSession(tx, userId, browser);
  });
}
