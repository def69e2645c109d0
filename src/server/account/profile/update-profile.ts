import { sql } from "kysely";
import type { z } from "zod";
import type { Profile, profileBody } from "../../../shared/people.ts";
import type { Db } from "../../db/connect.ts";
import { sameText } from "../../db/same-text.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";
import { recordAudit } from "../../record/audit.ts";
import { readProfile } from "./read-profile.ts";
import { refuseTaken } from "./refuse-taken.ts";

type Changes = Omit<z.output<typeof profileBody>, "current_password">;

/**
 * Updates the sent fields. 422 on `username` or `email` if another user has it. A changed address is unverified, and
 * password reset links sent to the old one no longer work.
 */
export async function updateProfile(db: Db, userId: number, body: Changes): Promise<Profile> {
  const changes = sentColumns(body);
  if (changes)
    await db.transaction().execute(async (tx) => {
      const before = await tx
        .selectFrom("users")
        .select("email")
        .where("id", "=", userId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      const { email } = changes;
      // A changed address is unverified: anybody can enter anybody's address.
      const verified =
        email === undefined
          ? {}
          : { email_verified: sql<boolean>`email_verified and ${sameText("email", email)}` };
      await refuseTaken(() =>
        tx
          .updateTable("users")
          .set({ ...changes, ...verified })
          .where("id", "=", userId)
          .execute(),
      );
      if (email === undefined) return;
      await tx.deleteFrom("password_resets").where("user_id", "=", userId).execute();
      if (email === before?.email) return;
      if (before)
        await queueSecurityMail(tx, userId, {
          subject: "Your email address was changed",
          what: `The email address was changed to ${email}.`,
          to: before.email,
        });
      await recordAudit(tx, {
        kind: "profile.email_changed",
        account_id: userId,
        subject: { type: "user", id: userId },
        details: { email, email_before: before?.email },
      });
    });
  return readProfile(db, userId);
}
