import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { recordAudits } from "../../record/audit.ts";
import { REVOKED, revocationOf } from "./revocation.ts";

/** Revokes personal tokens of the user and what they granted to apps; returns how many. Call it before the new password is set. */
export async function revokeTokens(
  tx: Tx,
  userId: number,
  which: "all" | "since the password was set",
): Promise<number> {
  let tokens = tx.deleteFrom("personal_tokens").where("user_id", "=", userId).returning(REVOKED);
  if (which !== "all")
    tokens = tokens.where(
      "created_at",
      ">=",
      sql<string>`(select password_set_at from users where id = ${userId})`,
    );
  const revoked = await tokens.execute();
  await recordAudits(
    tx,
    revoked.map((token) => revocationOf(userId, token)),
  );
  return revoked.length;
}
