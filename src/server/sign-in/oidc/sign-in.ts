import { sql } from "kysely";
import { recordAudit } from "../../record/audit.ts";
import { openSession, type Browser } from "../../access/sessions.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { createInvitedAccount } from "./invited-account.ts";
import type { Claims } from "./provider.ts";
import { SignInError } from "./sign-in-error.ts";

/**
 * Signs in whoever has the identity; returns the secret for the session's cookie. An identity nobody has yet becomes, if
 * the provider's verified addresses are trusted, that of the account that has confirmed the address, or of a new account
 * by an open invitation to it. SignInError otherwise. The provider's sign-in is complete: no second factor is asked for.
 */
export async function signInByIdentity(
  db: Db,
  claims: Claims,
  options: { trustEmail: boolean; browser: Browser },
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const known = await useIdentity(tx, claims);
    const userId = known ?? (await adoptIdentity(tx, claims, options.trustEmail));
    return openSession(tx, userId, options.browser);
  });
}

/** Gives the identity to the user; SignInError when it is somebody else's. */
export async function linkIdentity(db: Db, claims: Claims, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const owner = await useIdentity(tx, claims);
    if (owner === undefined) await addIdentity(tx, claims, userId);
    else if (owner !== userId) throw new SignInError("identity_taken", "another account has the identity");
  });
}

/** Whose it is, if anybody's. Held until the transaction ends: of two who bring a new identity the second waits. */
async function useIdentity(tx: Tx, { issuer, subject, email }: Claims): Promise<number | undefined> {
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

async function adoptIdentity(tx: Tx, claims: Claims, trustEmail: boolean): Promise<number> {
  const { email } = claims;
  if (!trustEmail || !claims.email_verified || email === null)
    throw new SignInError("unknown_identity", "nobody has the identity, and its address does not count");
  const user = await tx
    .selectFrom("users")
    .select(["id", "email_verified"])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
  // Else whoever writes somebody's address into their profile would wait for that person to come.
  if (user?.email_verified === false)
    throw new SignInError("unknown_identity", "the account with the address has not confirmed it");
  const userId = user?.id ?? (await createInvitedAccount(tx, { ...claims, email }));
  await addIdentity(tx, claims, userId);
  return userId;
}

async function addIdentity(tx: Tx, { issuer, subject, email }: Claims, userId: number): Promise<void> {
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
