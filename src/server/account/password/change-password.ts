import { recordAudit } from "../../record/audit.ts";
import { wrongPassword } from "../../access/current-password.ts";
import { hashPassword } from "../../access/passwords.ts";
import { openSession, type Browser } from "../../access/sessions.ts";
import type { Db } from "../../db/connect.ts";

type Change = { userId: number; before: string | null; password: string; browser: Browser };

/**
 * Sets another password in place of the one whose hash is `before`; ends all sessions and opens the one whose secret it
 * returns; a link to a new password that was mailed works no more. 422 on `current_password` when somebody else was
 * faster.
 */
export async function changePassword(db: Db, { userId, before, password, browser }: Change): Promise<string> {
  const password_hash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable("users")
      .set({ password_hash })
      .where("id", "=", userId)
      .where("password_hash", "is not distinct from", before)
      .returning("id")
      .executeTakeFirst();
    if (!changed) throw wrongPassword();
    await tx.deleteFrom("password_resets").where("user_id", "=", userId).execute();
    await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
    await recordAudit(tx, {
      kind: "password.changed",
      account_id: userId,
      subject: { type: "user", id: userId },
    });
    return openSession(tx, userId, browser);
  });
}
