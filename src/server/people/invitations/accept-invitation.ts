import { hashPassword } from "../../access/passwords.ts";
import { type Browser, openSession } from "../../access/sessions.ts";
import { sha256 } from "../../access/tokens.ts";
import { noteDevice } from "../../account/devices/note-device.ts";
import { releaseAddress } from "../../account/profile/release-address.ts";
import { offerConfirmation } from "../../account/profile/request-confirmation.ts";
import { requestPasswordReset } from "../../account/password/request-password-reset.ts";
import { confirmAddress } from "../../account/profile/confirm-address.ts";
import { refuseTaken } from "../../account/profile/refuse-taken.ts";
import { forbidden, invalid } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { sameText } from "../../db/same-text.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import type { LockedInvitation } from "./join-projects.ts";
import { joinWorkspace } from "./join-workspace.ts";
import { isOpenInvitation, noSuchInvitation, partsOf } from "./read-invitations.ts";

export type NewAccount = { first_name: string; last_name: string; username: string; password: string };

/**
 * Accepts an invitation as the signed-in user. The link in the email verifies the address of their account; the password,
 * which somebody else may have set, then no longer works, and a link to set a new one is emailed. 404 if the invitation
 * is not open, 403 if it is for another address.
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
      .select(sameText("email", invitation.email).as("is_invited"))
      .where("id", "=", userId)
      // Keeps the address from changing before it is verified.
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user?.is_invited) throw forbidden("The invitation is for another email address.");
    await joinWorkspace(tx, invitation, userId);
    if (!invitation.is_proven) return;
    const { removedPassword } = await confirmAddress(tx, userId, session.id_hash);
    if (removedPassword) await requestPasswordReset(tx, invitation.email);
  });
}

type Registration = { token: string; person: NewAccount; browser: Browser; sendsMail: boolean };

/**
 * Accepts an invitation with a new account, whose address is verified by the link in the email only; returns its id and
 * the secret of its session. That link also takes the address from an account that has not verified it. With `sendsMail`, an
 * address that the invitation does not verify is sent a link to confirm it. 404 if the invitation is not open; 422 on `email` if the address has an account, on
 * `username` if another user has it.
 */
export async function registerByInvitation(
  db: Db,
  { token, person, browser, sendsMail }: Registration,
): Promise<{ userId: number; secret: string; device: string }> {
  const { password, ...names } = person;
  const password_hash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const invitation = await lockInvitation(tx, token);
    const { email } = invitation;
    if (invitation.is_proven) await releaseAddress(tx, email);
    const account = await tx
      .selectFrom("users")
      .select("id")
      .where(sameText("email", email))
      .executeTakeFirst();
    if (account)
      throw invalid({
        email: ["already has an account: sign in or reset its password, then open the invitation again"],
      });
    const user = await refuseTaken(() =>
      tx
        .insertInto("users")
        .values({ ...names, email, password_hash, email_verified: invitation.is_proven })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    await joinWorkspace(tx, invitation, user.id);
    const device = await noteDevice(tx, user.id, browser);
    if (sendsMail) await offerConfirmation(tx, user.id);
    return { userId: user.id, secret: await openSession(tx, user.id, browser), device };
  });
}

/** If two requests race, the second waits here and then gets 404. */
async function lockInvitation(tx: Tx, link: string): Promise<LockedInvitation & { is_proven: boolean }> {
  const { token, proof } = partsOf(link);
  const open = tx
    .selectFrom("invitations as i")
    .select(["i.id", "i.workspace_id", "i.email", "i.is_admin", "i.invited_by", "i.proof_hash"])
    .where("i.token_hash", "=", sha256(token))
    .where(isOpenInvitation);
  const found = await open.executeTakeFirst();
  if (!found) throw noSuchInvitation();
  // The workspace first, in the same order as when a role or the workspace is deleted, to avoid deadlocks.
  await lockWorkspace(tx, found.workspace_id);
  const row = await open.forUpdate().executeTakeFirst();
  if (!row) throw noSuchInvitation();
  const { proof_hash, ...invitation } = row;
  if (proof !== undefined && !proof_hash?.equals(sha256(proof))) throw noSuchInvitation();
  return { ...invitation, is_proven: proof !== undefined };
}
