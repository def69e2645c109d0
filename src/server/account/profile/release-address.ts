import { sql } from "kysely";
import { RELEASED_DOMAIN } from "../../../shared/released-domain.ts";
import type { Tx } from "../../db/connect.ts";
import { recordAudits } from "../../record/audit.ts";

/**
 * Takes the address from another account that has not verified it, because its owner claims it: that account gets a
 * placeholder, to which nothing is sent. An account that has verified the address keeps it.
 */
export async function releaseAddress(tx: Tx, email: string, exceptUserId = 0): Promise<void> {
  const { rows } = await sql<{ id: number; email: string }>`
    update users set email = gen_random_uuid() || ${`@${RELEASED_DOMAIN}`}
    where fold_case(email) = fold_case(${email}) and not email_verified and id <> ${exceptUserId}
    returning id, email`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  // The reader of the address must not get into that account.
  await tx.deleteFrom("password_resets").where("user_id", "in", ids).execute();
  await tx.deleteFrom("address_confirmations").where("user_id", "in", ids).execute();
  await recordAudits(
    tx,
    rows.map((user) => ({
      kind: "profile.email_changed",
      account_id: user.id,
      actor_id: null,
      subject: { type: "user", id: user.id },
      details: { email: user.email, email_before: email },
    })),
  );
}
