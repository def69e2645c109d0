import type { Identity } from "../../../shared/sign-in.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db } from "../../db/connect.ts";
import { notFound, refused } from "../../answers/errors.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";

export function listIdentities(db: Db, userId: number, query: PageQuery): Promise<Page<Identity>> {
  const rows = db
    .selectFrom("identities")
    .select(["id", "issuer", "email", "created_at", "last_used_at"])
    .where("user_id", "=", userId);
  return readPage(rows, query, "id");
}

/** Nobody signs in by it any more. 422 when it is the account's last way to sign in. */
export async function unlinkIdentity(db: Db, userId: number, identityId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Of two who each remove one of the last two the second waits here.
    const user = await tx
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", userId)
      .forUpdate()
      .executeTakeFirst();
    const identities = await tx
      .selectFrom("identities")
      .select(["id", "issuer"])
      .where("user_id", "=", userId)
      .execute();
    const identity = identities.find(({ id }) => id === identityId);
    if (!identity) throw notFound("There is no such identity.");
    if ((user?.password_hash ?? null) === null && identities.length === 1)
      throw refused("This is the last way to sign in to the account. Set a password first.");
    await tx.deleteFrom("identities").where("id", "=", identityId).execute();
    await recordAudit(tx, {
      kind: "identity.unlinked",
      account_id: userId,
      subject: { type: "user", id: userId },
      details: { issuer: identity.issuer },
    });
  });
}
