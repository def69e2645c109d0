import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { recordAudits } from "../../record/audit.ts";

/** Revokes personal tokens of the user; returns how many. Call it before the new password is set. */
export async function revokeTokens(
  tx: Tx,
  userId: number,
  which: "all" | "since the password was set",
): Promise<number> {
  let tokens = tx.deleteFrom("personal_tokens").where("user_id", "=", userId).returning(["id", "name"]);
  if (which !== "all")
    tokens = tokens.where(
      "created_at",
      ">=",
      sql<string>`(select password_set_at from users where id = ${userId})`,
    );
  const revoked = await tokens.execute();
  await recordAudits(
    tx,
    revoked.map(({ id, name }) => ({
      kind: "token.revoked",
      account_id: userId,
      subject: { type: "personal_token", id, name },
    })),
  );
  return revoked.length;
}
