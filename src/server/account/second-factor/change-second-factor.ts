import type { RecoveryCodes } from "../../../shared/sign-in.ts";
import { notFound } from "../../answers/errors.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";
import { countWrongCode } from "./count-wrong-codes.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { own, wrongCode } from "./set-up-second-factor.ts";
import { useCode } from "./use-code.ts";

/** Replaces the recovery codes. 404 without an active second factor, 422 on a wrong `code`. */
export async function renewRecoveryCodes(db: Db, userId: number, code: string): Promise<RecoveryCodes> {
  return withCode(db, userId, code, async (tx) => {
    await recordAudit(tx, { kind: "second_factor.recovery_codes_renewed", ...own(userId) });
    await queueSecurityMail(tx, userId, {
      subject: "Your recovery codes were replaced",
      body: "The recovery codes of the second factor were replaced.",
    });
    return { recovery_codes: await replaceRecoveryCodes(tx, userId) };
  });
}

/** 404 without an active second factor, 422 on a wrong `code`. */
export async function removeSecondFactor(db: Db, userId: number, code: string): Promise<void> {
  await withCode(db, userId, code, async (tx) => {
    await tx.deleteFrom("second_factors").where("user_id", "=", userId).execute();
    await recordAudit(tx, { kind: "second_factor.disabled", ...own(userId) });
    await queueSecurityMail(tx, userId, {
      subject: "Your second factor was removed",
      body: "The second factor was turned off.",
    });
  });
}

/** Runs `work` if the code is valid. The lock on the row serializes concurrent changes of the second factor. */
async function withCode<T>(db: Db, userId: number, code: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const check = async (tx: Tx) => {
    const active = await tx
      .selectFrom("second_factors")
      .select("user_id")
      .where("user_id", "=", userId)
      .where("confirmed_at", "is not", null)
      .forUpdate()
      .executeTakeFirst();
    if (!active) throw notFound("No second factor is active.");
    if (!(await useCode(tx, userId, code))) throw wrongCode();
    return work(tx);
  };
  return countWrongCode(db, userId, () => db.transaction().execute(check));
}
