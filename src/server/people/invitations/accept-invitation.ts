import { sql } from "kysely";
import { hashPassword } from "../../access/passwords.ts";
import { type Browser, openSession } from "../../access/sessions.ts";
import { sha256 } from "../../access/tokens.ts";
import { confirmAddress } from "../../account/profile/confirm-address.ts";
import { refuseTaken } from "../../account/profile/refuse-taken.ts";
import { forbidden, invalid } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import type { LockedInvitation } from "./join-projects.ts";
import { useInvitation } from "./join-workspace.ts";
import { noSuchInvitation } from "./read-invitations.ts";

export type NewPerson = { first_name: string; last_name: string; username: string; password: string };

/**
 * A signed-in user joins; 404 as above, 403 when the invitation is for another address. Whoever has the link reads the
 * mail of its address, which confirms that of the account.
 */
export async function joinByInvitation(
  db: Db,
  token: string,
  session: { user_id: number; id_hash: Buffer },
): Promise<void> {
  const userId = session.user_id;
  await db.transaction().execute(async (tx) => {
    const invitation = await lockInvitation(tx, token);
    const user = await tx
      .selectFrom("users")
      .select(sql<boolean>`lower(email) = lower(${invitation.email})`.as("is_invited"))
      .where("id", "=", userId)
      // Or it might be changed before it is confirmed.
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user?.is_invited) throw forbidden("The invitation is for another e-mail address.");
    await useInvitation(tx, invitation, userId);
    await confirmAddress(tx, userId, session.id_hash);
  });
}

/**
 * A new person with the invitation's address joins; returns their id and the secret of their session. 404 as above; 422
 * on `email` when the address has an account, on `username` when somebody has that name.
 */
export async function registerByInvitation(
  db: Db,
  token: string,
  person: NewPerson,
  browser: Browser,
): Promise<{ userId: number; secret: string }> {
  const { password, ...names } = person;
  const password_hash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const invitation = await lockInvitation(tx, token);
    const { email } = invitation;
    const known = await tx
      .selectFrom("users")
      .select("id")
      .where(sql<boolean>`lower(email) = lower(${email})`)
      .executeTakeFirst();
    if (known) throw invalid({ email: ["has an account already: sign in, then open the invitation again"] });
    const user = await refuseTaken(() =>
      tx
        .insertInto("users")
        .values({ ...names, email, password_hash })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    await useInvitation(tx, invitation, user.id);
    return { userId: user.id, secret: await openSession(tx, user.id, browser) };
  });
}

/** Of two who accept at once the second waits here, and finds the invitation gone. */
async function lockInvitation(tx: Tx, token: string): Promise<LockedInvitation> {
  const row = await tx
    .selectFrom("invitations")
    .select(["id", "workspace_id", "email", "is_admin", "invited_by"])
    .where("token_hash", "=", sha256(token))
    .where("expires_at", ">", sql<string>`now()`)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw noSuchInvitation();
  return row;
}
