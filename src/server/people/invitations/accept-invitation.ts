import { sql } from "kysely";
import { hashPassword } from "../../access/passwords.ts";
import { type Browser, openSession } from "../../access/sessions.ts";
import { sha256 } from "../../access/tokens.ts";
import { confirmAddress } from "../../account/profile/confirm-address.ts";
import { refuseTaken } from "../../account/profile/refuse-taken.ts";
import { forbidden, invalid } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import type { LockedInvitation } from "./join-projects.ts";
import { joinWorkspace } from "./join-workspace.ts";
import { noSuchInvitation } from "./read-invitations.ts";

export type NewAccount = { first_name: string; last_name: string; username: string; password: string };

/**
 * Accepts an invitation as the signed-in user. Having the link proves that they read the mail of the address, which
 * verifies their account's. 404 if the invitation is not open, 403 if it is for another address.
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
      // Keeps the address from changing before it is verified.
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user?.is_invited) throw forbidden("The invitation is for another email address.");
    await joinWorkspace(tx, invitation, userId);
    await confirmAddress(tx, userId, session.id_hash);
  });
}

/**
 * Accepts an invitation with a new account; returns its id and the secret of its session. 404 if the invitation is not
 * open; 422 on `email` if the address has an account, on `username` if another user has it.
 */
export async function registerByInvitation(
  db: Db,
  token: string,
  person: NewAccount,
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
    if (known) throw invalid({ email: ["already has an account: sign in, then open the invitation again"] });
    const user = await refuseTaken(() =>
      tx
        .insertInto("users")
        .values({ ...names, email, password_hash })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    await joinWorkspace(tx, invitation, user.id);
    return { userId: user.id, secret: await openSession(tx, user.id, browser) };
  });
}

/** If two requests race, the second waits here and then gets 404. */
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
