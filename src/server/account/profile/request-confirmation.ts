import { sql } from "kysely";
import { RELEASED_DOMAIN } from "../../../shared/released-domain.ts";
import { randomSecret, sha256 } from "../../access/tokens.ts";
import { tooMany } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { sameText } from "../../db/same-text.ts";
import { type NewMail, queueMails } from "../../mail/queue-mail.ts";
import { secondsUntilMail } from "./limit-address-mails.ts";

const LINK_HOURS = 24;

/**
 * Emails the address a link by which the user confirms it; earlier links no longer work. If the address belongs to another
 * account, its owner gets a notice instead, so that only the owner can tell the difference. 429 after 5 emails to the
 * address within an hour.
 */
export async function requestConfirmation(tx: Tx, userId: number, email: string): Promise<void> {
  const seconds = await secondsUntilMail(tx, email);
  if (seconds > 0) throw tooMany(seconds);
  const token = randomSecret();
  const link = {
    email,
    token_hash: sha256(token),
    expires_at: sql<string>`clock_timestamp() + make_interval(hours => ${LINK_HOURS})`,
  };
  await tx
    .insertInto("address_confirmations")
    .values({ user_id: userId, ...link })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(link))
    .execute();
  const owner = await tx
    .selectFrom("users")
    .select("email")
    .where(sameText("email", email))
    .where("email_verified", "=", true)
    .where("id", "<>", userId)
    .executeTakeFirst();
  await queueMails(tx, [owner ? takenMail(owner.email) : linkMail(email, token)]);
}

/** Contains no text that the account's user can choose: the reader may be a stranger. */
const linkMail = (to: string, token: string): NewMail => ({
  workspace_id: null,
  user_id: null,
  to,
  subject: "Confirm your email address for Signalbox",
  lines: [
    "Someone, probably you, entered this address for an account on Signalbox.",
    `To confirm it, open the link within ${LINK_HOURS} hours and sign in to that account. If it was not you, ignore this email.`,
  ],
  button: { label: "Confirm address", path: `/confirm-address?token=${token}` },
  preference: null,
  secret: true,
});

const takenMail = (to: string): NewMail => ({
  workspace_id: null,
  user_id: null,
  to,
  subject: "Your email address was entered for another account",
  lines: [
    "Someone, probably you, entered this address for another account on Signalbox. It already belongs to your account, so nothing has changed.",
    "If it was you, sign in to the account that has the address, or change its address first.",
  ],
  button: { label: "Sign in", path: "/sign-in" },
  preference: null,
});

/**
 * Emails a link to a user who signs in with an unverified address, unless a link is still valid, a change of the address
 * is pending, or the address has received enough emails.
 */
export async function offerConfirmation(tx: Tx, userId: number): Promise<void> {
  const { rows } = await sql<{ email: string }>`
    select u.email from users u where u.id = ${userId} and not u.email_verified
      and not u.email like ${`%@${RELEASED_DOMAIN}`} and not exists (
      select from address_confirmations c
      where c.user_id = u.id and (c.expires_at > clock_timestamp() or fold_case(c.email) <> fold_case(u.email)))`.execute(
    tx,
  );
  const [user] = rows;
  if (user && (await secondsUntilMail(tx, user.email)) === 0)
    await requestConfirmation(tx, userId, user.email);
}
