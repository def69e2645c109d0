import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { REVOKED, revocationOf } from "./revocation.ts";

/** Also revokes what was granted to an app, with all of its access and refresh tokens. */
export async function deletePersonalToken(db: Db, userId: number, tokenId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const token = await tx
      .deleteFrom("personal_tokens")
      .where("id", "=", tokenId)
      .where("user_id", "=", userId)
      .returning(REVOKED)
      .executeTakeFirst();
    if (!token) throw notFound("There is no such token.");
    await recordAudit(tx, revocationOf(userId, token));
  });
}
