import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import type { NewSecondFactor, RecoveryCodes } from "../../../shared/sign-in.ts";
import type { Account } from "../../access/current-password.ts";
import { endSessions } from "../../access/sessions.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";
import { invalid, refused } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { stepOf } from "./time-codes.ts";

/**
 * Creates a secret, which no later response shows and which becomes active once a code confirms it. 422 while a second
 * factor is active.
 */
export async function startSecondFactor(db: Db, { id, email }: Account): Promise<NewSecondFactor> {
  const secret = new Secret({ size: 20 });
  const started = await db
    .insertInto("second_factors")
    .values({ user_id: id, secret: secret.base32 })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet({ secret: secret.base32, last_step: 0, created_at: sql`clock_timestamp()` })
        .where("second_factors.confirmed_at", "is", null),
    )
    .executeTakeFirst();
  if (started.numInsertedOrUpdatedRows !== 1n)
    throw refused("A second factor is already active. Turn it off first.");
  const otpauth = new TOTP({ issuer: "Signalbox", label: email, secret });
  return { secret: secret.base32, otpauth_url: otpauth.toString() };
}

/**
 * Activates the second factor and ends all other sessions, which began without it. 422 on `code` if it is wrong, or if no second
 * factor is being set up.
 */
export async function confirmSecondFactor(
  db: Db,
  { user_id: userId, id_hash }: { user_id: number; id_hash: Buffer },
  code: string,
): Promise<RecoveryCodes> {
  return db.transaction().execute(async (tx) => {
    // A concurrent sign-in without a code opens its session either before this lock, or after the factor is active.
    await tx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
    const pending = await tx
      .selectFrom("second_factors")
      .select("secret")
      .where("user_id", "=", userId)
      .where("confirmed_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (!pending) throw invalid({ code: ["cannot be checked: no second factor is being set up"] });
    const last_step = stepOf(pending.secret, code);
    if (last_step === undefined) throw wrongCode();
    await tx
      .updateTable("second_factors")
      .set({ confirmed_at: sql`now()`, last_step })
      .where("user_id", "=", userId)
      .execute();
    await recordAudit(tx, { kind: "second_factor.enabled", ...own(userId) });
    await endSessions(tx, userId, id_hash);
    await queueSecurityMail(tx, userId, {
      subject: "Your second factor was turned on",
      body: "A second factor was turned on, which ended all other sessions.",
    });
    return { recovery_codes: await replaceRecoveryCodes(tx, userId) };
  });
}

export const own = (userId: number) =>
  ({ account_id: userId, subject: { type: "user", id: userId } }) as const;

export const wrongCode = () => invalid({ code: ["is wrong or already used"] });
