import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Claims } from "./claims.ts";
import { SignInError } from "./sign-in-error.ts";

/** Links the identity to the user. Throws SignInError if it belongs to another account. */
export async function linkIdentity(db: Db, claims: Claims, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const owner = await useIdentity(tx, claims);
    if (owner === undefined) await addIdentity(tx, claims, userId);
    else if (owner !== userId) throw new SignInError("identity_taken", "another account has the identity");
  });
}

/**
 * Finds the user with the identity and updates when it was last used. The advisory lock makes a concurrent sign-in with
 * the same new identity wait until the transaction ends.
 */
export async function useIdentity(tx: Tx, { issuer, subject, email }: Claims): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 14))`.execute(tx);
  const row = await tx
    .updateTable("identities")
    .set({ last_used_at: sql`now()`, ...(email === null ? {} : { email }) })
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id;
}

export async function addIdentity(tx: Tx, { issuer, subject, email }: Claims, userId: number): Promise<void> {
  await tx
    .insertInto("identities")
    .values({ user_id: userId, issuer, subject, email, last_used_at: sql`now()` })
    .execute();
  await recordAudit(tx, {
    kind: "identity.linked",
    account_id: userId,
    actor_id: userId,
    subject: { type: "user", id: userId },
    details: { issuer, email },
  });
}
