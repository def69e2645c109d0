import { sha256 } from "../../access/tokens.ts";
import { HttpError } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { forgetWrongCodes } from "./count-wrong-codes.ts";
import { plainCode, stepOf } from "./time-codes.ts";

/**
 * Uses up the code if the account has an active second factor. 401 with `second_factor_required` if the code is missing
 * or wrong. Call it only after the password has been checked: the answer reveals that the account exists.
 */
export async function requireSecondFactor(tx: Tx, userId: number, code: string | undefined): Promise<void> {
  const factor = await tx
    .selectFrom("second_factors")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  if (!factor) return;
  if (code === undefined) throw secondFactorRequired("Send a code of the second factor, too.");
  if (!(await useCode(tx, userId, code))) throw secondFactorRequired("The code is wrong or already used.");
}

const secondFactorRequired = (message: string) =>
  new HttpError(401, message, { second_factor_required: true }, { "www-authenticate": "Bearer" });

/**
 * Uses up a code of the account's authenticator or one of its recovery codes; returns whether it was valid. Each code
 * works once: if two requests race, one wins.
 */
export async function useCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const plain = plainCode(code);
  const use = /^[0-9]{6}$/.test(plain) ? useTimeCode : useRecoveryCode;
  const isValid = await use(tx, userId, plain);
  if (isValid) await forgetWrongCodes(tx, userId);
  return isValid;
}

async function useTimeCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const factor = await tx
    .selectFrom("second_factors")
    .select("secret")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  const step = factor && stepOf(factor.secret, code);
  if (!factor || step === undefined) return false;
  const result = await tx
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("secret", "=", factor.secret)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

async function useRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const result = await tx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", sha256(code))
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
