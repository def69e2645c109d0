import { notFound, refused } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";

/** 404 if it is not an identity of the user. */
export async function requireIdentity(db: Db, userId: number, identityId: number): Promise<void> {
  const identity = await db
    .selectFrom("identities")
    .select("id")
    .where("user_id", "=", userId)
    .where("id", "=", identityId)
    .executeTakeFirst();
  if (!identity) throw noSuchIdentity();
}

const noSuchIdentity = () => notFound("There is no such identity.");

/** 422 if it is the account's last way to sign in. */
export async function unlinkIdentity(db: Db, userId: number, identityId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Serializes concurrent requests, which could otherwise remove the last two identities together.
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
    if (!identity) throw noSuchIdentity();
    if ((user?.password_hash ?? null) === null && identities.length === 1)
      throw refused("This is the only way to sign in to the account. Set a password first.");
    await tx.deleteFrom("identities").where("id", "=", identityId).execute();
    await recordAudit(tx, {
      kind: "identity.unlinked",
      account_id: userId,
      subject: { type: "user", id: userId },
      details: { issuer: identity.issuer },
    });
  });
}
