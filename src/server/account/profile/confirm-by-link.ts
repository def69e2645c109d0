import { sql } from "kysely";
import { sha256 } from "../../access/tokens.ts";
import { invalid } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { refuseTaken } from "./refuse-taken.ts";
import { recordAddressChange } from "./record-address-change.ts";
import { releaseAddress } from "./release-address.ts";

/**
 * Makes the address that the link was sent to the user's verified address. Another account that has the address without
 * having verified it loses it. 422 on `token` if the link is unknown, used, expired, superseded or another account's.
 */
export async function confirmByLink(db: Db, userId: number, token: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const known = await findLink(tx, userId, token);
    // All in one order, because two users may confirm each other's former address.
    await sql`
      select from users where id = ${userId} or fold_case(email) = fold_case(${known.email})
      order by id for no key update`.execute(tx);
    const { email } = await findLink(tx, userId, token);
    await tx.deleteFrom("address_confirmations").where("user_id", "=", userId).execute();
    await releaseAddress(tx, email, userId);
    const before = await tx
      .selectFrom("users")
      .select(["email", "email_verified"])
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    await refuseTaken(() =>
      tx.updateTable("users").set({ email, email_verified: true }).where("id", "=", userId).execute(),
    );
    await recordAddressChange(tx, userId, email, before);
  });
}

async function findLink(tx: Tx, userId: number, token: string): Promise<{ email: string }> {
  const row = await tx
    .selectFrom("address_confirmations")
    .select("email")
    .where("user_id", "=", userId)
    .where("token_hash", "=", sha256(token))
    .where("expires_at", ">", sql<string>`clock_timestamp()`)
    .executeTakeFirst();
  if (!row) throw invalid({ token: ["is no longer valid, or belongs to another account"] });
  return row;
}
