import { sql } from "kysely";
import type { z } from "zod";
import type { resetPasswordBody } from "../../../shared/passwords.ts";
import { recordAudit } from "../../record/audit.ts";
import { confirmAddress } from "../profile/confirm-address.ts";
import { hashPassword } from "../../access/passwords.ts";
import { setPassword } from "./set-password.ts";
import { revokeTokens } from "../personal-tokens/revoke-tokens.ts";
import { sha256 } from "../../access/tokens.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";
import { invalid } from "../../answers/errors.ts";

/**
 * Sets the password of the account that the link was sent to, and ends all its sessions. Revokes the personal tokens made
 * since the password was last set, or all of them. A second factor is kept. 422 on `token` if it is unknown, used, expired or superseded. If two requests
 * race, one wins.
 */
export async function resetPassword(
  db: Db,
  { token, password, revoke_tokens = false }: z.output<typeof resetPasswordBody>,
): Promise<void> {
  const token_hash = sha256(token);
  // Check first: hashing is expensive and must not be available to unauthenticated callers.
  const reset = await db
    .selectFrom("password_resets")
    .select("user_id")
    .where("token_hash", "=", token_hash)
    .where(unexpired)
    .executeTakeFirst();
  if (!reset) throw noSuchReset();
  const password_hash = await hashPassword(password);
  await db.transaction().execute(async (tx) => {
    // Lock the user first, in the same order as a password change, to avoid deadlocks.
    await tx.selectFrom("users").select("id").where("id", "=", reset.user_id).forNoKeyUpdate().execute();
    const used = await tx
      .deleteFrom("password_resets")
      .where("token_hash", "=", token_hash)
      .where(unexpired)
      .returning("user_id")
      .executeTakeFirst();
    if (!used) throw noSuchReset();
    // Reading the address's mail is not enough to sign in with a second factor, nor to take over the account.
    if (!(await hasSecondFactor(tx, used.user_id))) await confirmAddress(tx, used.user_id);
    await revokeTokens(tx, used.user_id, revoke_tokens ? "all" : "since the password was set");
    await setPassword(tx, used.user_id, password_hash);
    await tx.deleteFrom("sessions").where("user_id", "=", used.user_id).execute();
    await queueSecurityMail(tx, used.user_id, {
      subject: "Your password was changed",
      body: "A new password was set with an emailed link, which ended all sessions.",
    });
    await recordAudit(tx, {
      kind: "password.reset",
      account_id: used.user_id,
      actor_id: used.user_id,
      subject: { type: "user", id: used.user_id },
    });
  });
}

async function hasSecondFactor(tx: Tx, userId: number): Promise<boolean> {
  const factor = await tx
    .selectFrom("second_factors")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return factor !== undefined;
}

const unexpired = sql<boolean>`expires_at > clock_timestamp()`;

const noSuchReset = () => invalid({ token: ["is no longer valid: request a new link"] });
