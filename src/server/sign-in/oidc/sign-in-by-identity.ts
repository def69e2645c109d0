import { type Browser, openSession } from "../../access/sessions.ts";
import { offerConfirmation } from "../../account/profile/request-confirmation.ts";
import { noteDevice } from "../../account/devices/note-device.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { sameText } from "../../db/same-text.ts";
import { createInvitedAccount } from "./create-invited-account.ts";
import { addIdentity, useIdentity } from "./link-identity.ts";
import type { Claims } from "./claims.ts";
import { SignInError } from "./sign-in-error.ts";

/**
 * Signs in the user with the identity; returns the secrets for its cookies. If the provider's verified addresses
 * are trusted, an unknown identity is linked to the account that has verified the address, or to a new account if the
 * address is invited. Throws SignInError otherwise. No second factor is required: that is up to the provider.
 */
export async function signInByIdentity(
  db: Db,
  claims: Claims,
  options: { trustEmail: boolean; sendsMail: boolean; browser: Browser },
): Promise<{ secret: string; device: string }> {
  return db.transaction().execute(async (tx) => {
    const known = await useIdentity(tx, claims);
    const userId = known ?? (await adoptIdentity(tx, claims, options.trustEmail));
    const device = await noteDevice(tx, userId, options.browser);
    if (options.sendsMail) await offerConfirmation(tx, userId);
    return { secret: await openSession(tx, userId, options.browser), device };
  });
}

async function adoptIdentity(tx: Tx, claims: Claims, trustEmail: boolean): Promise<number> {
  const { email } = claims;
  if (!trustEmail || !claims.email_verified || email === null)
    throw new SignInError("unknown_identity", "no account has the identity, and its address is not trusted");
  const user = await tx
    .selectFrom("users")
    .select(["id", "email_verified"])
    .where(sameText("email", email))
    .executeTakeFirst();
  // Someone may have entered another person's address in their profile. They must not receive that person's identity.
  const userId = user?.email_verified ? user.id : await createInvitedAccount(tx, { ...claims, email });
  await addIdentity(tx, claims, userId);
  return userId;
}
