import { randomBytes } from "node:crypto";
import { Secret } from "otpauth";
import { sha256 } from "../../access/tokens.ts";
import type { Db } from "../../db/connect.ts";
import { plainCode } from "./time-codes.ts";

const RECOVERY_CODES = 10;

/** Replaces all recovery codes of the account by ten new ones. Only their hashes are stored. */
export async function replaceRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await db
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ user_id: userId, code_hash: sha256(plainCode(code)) })))
    .execute();
  return codes;
}

/** 80 random bits such as `abcd-efgh-ijkl-mnop`, too many to be guessed from a plain hash. */
function newRecoveryCode(): string {
  const text = new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer }).base32.toLowerCase();
  return text.replaceAll(/(.{4})(?=.)/g, "$1-");
}
