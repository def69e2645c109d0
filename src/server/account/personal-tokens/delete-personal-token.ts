import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";

export async function deletePersonalToken(db: Db, userId: number, tokenId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const token = await tx
      .deleteFrom("personal_tokens")
      .where("id", "=", tokenId)
      .where("user_id", "=", userId)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!token) throw notFound("There is no such token.");
    await recordAudit(tx, {
      kind: "token.revoked",
      account_id: userId,
      subject: { type: "personal_token", ...token },
    });
  });
}
