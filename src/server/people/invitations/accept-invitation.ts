import { sql } from "kysely";
import { recordAudit } from "../../record/audit.ts";
import { confirmAddress } from "../../account/profile/confirm-address.ts";
import { hashPassword } from "../../access/passwords.ts";
import { openSession, type Browser } from "../../access/sessions.ts";
import { sha256 } from "../../access/tokens.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { forbidden, invalid } from "../../answers/errors.ts";
import { refuseTaken } from "../../account/profile/profile.ts";
import { noSuchInvitation } from "./invitations.ts";
import { joinProjects, type LockedInvitation } from "./join-projects.ts";

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

/** Whoever is a member already keeps what is more; 403 when they were deactivated, which an older link does not undo. */
export async function useInvitation(tx: Tx, invitation: LockedInvitation, userId: number): Promise<void> {
  const member = await tx
    .insertInto("workspace_members")
    .values({ workspace_id: invitation.workspace_id, user_id: userId, is_admin: invitation.is_admin })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "user_id"])
        .doUpdateSet({ is_admin: sql<boolean>`workspace_members.is_admin or excluded.is_admin` })
        .where("workspace_members.deactivated_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  if (!member) throw forbidden("You were deactivated in this workspace. Its administrators can undo that.");
  const { id, email, workspace_id, is_admin } = invitation;
  await recordAudit(tx, {
    kind: "invitation.accepted",
    workspace_id,
    actor_id: userId,
    subject: { type: "invitation", id, name: email },
    details: { is_admin },
  });
  await joinProjects(tx, invitation, userId);
  await tx.deleteFrom("invitations").where("id", "=", invitation.id).execute();
}
