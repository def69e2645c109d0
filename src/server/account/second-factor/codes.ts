import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { sha256 } from "../../access/tokens.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { HttpError } from "../../answers/errors.ts";

const PERIOD_SECONDS = 30;
/** An authenticator's clock may be off by one step either way. */
const WINDOW = 1;
const RECOVERY_CODES = 10;

/**
 * Passes when the account has no active second factor, or the code is one of it, which is then used up. 401 with
 * `second_factor_required` otherwise; to be asked only once the password was right.
 */
export async function requireSecondFactor(tx: Tx, userId: number, code: string | undefined): Promise<void> {
  const factor = await tx
    .selectFrom("second_factors")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  if (!factor) return;
  if (code === undefined) throw secondFactorRequired("Send a code of the second factor as well.");
  if (!(await useCode(tx, userId, code)))
    throw secondFactorRequired("The code is wrong or was used already.");
}

const secondFactorRequired = (message: string) =>
  new HttpError(401, message, { second_factor_required: true }, { "www-authenticate": "Bearer" });

/**
 * Whether it is a code of the account's active second factor, or one of its recovery codes. Either is good once: of two
 * who use it at the same time, one does.
 */
export async function useCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const plain = plainCode(code);
  return /^[0-9]{6}$/.test(plain) ? useTimeCode(tx, userId, plain) : useRecoveryCode(tx, userId, plain);
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

/** The time step the code belongs to, within the window around now; undefined when it is wrong. */
export function stepOf(secret: string, code: string): number | undefined {
  const timestamp = Date.now();
  const delta = TOTP.validate({
    token: plainCode(code),
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
    window: WINDOW,
    timestamp,
  });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}

const plainCode = (code: string) => code.replaceAll(/[\s-]/g, "").toLowerCase();

/** Ten new recovery codes in the place of all earlier ones; the database keeps their hashes. */
export async function replaceRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await db
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ user_id: userId, code_hash: sha256(plainCode(code)) })))
    .execute();
  return codes;
}

/** 80 random bits, `abcd-efgh-ijkl-mnop`: too many to be found from their hash. */
function newRecoveryCode(): string {
  const text = new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer }).base32.toLowerCase();
  return text.replaceAll(/(.{4})(?=.)/g, "$1-");
}
