import { sql } from "kysely";
import { RELEASED_DOMAIN } from "../../../shared/released-domain.ts";
import { refused } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { requestConfirmation } from "./request-confirmation.ts";

/**
 * Sends a link to the pending address, or to the unverified one. 422 if there is none or no mail server, 429 if the address
 * has received enough emails.
 */
export async function requestAnotherLink(
  db: Db,
  userId: number,
  { sendsMail }: { sendsMail: boolean },
): Promise<void> {
  if (!sendsMail) throw refused("No mail server is set up, so addresses cannot be confirmed.");
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ email: string }>`
      select coalesce(c.email, u.email) as email
      from users u left join address_confirmations c on c.user_id = u.id
      where u.id = ${userId} and (c.email is not null or not u.email_verified)
      for no key update of u`.execute(tx);
    const [unconfirmed] = rows;
    if (!unconfirmed) throw refused("Your address is already confirmed.");
    if (unconfirmed.email.endsWith(`@${RELEASED_DOMAIN}`))
      throw refused("Your former address belongs to another account. Enter another address.");
    await requestConfirmation(tx, userId, unconfirmed.email);
  });
}
