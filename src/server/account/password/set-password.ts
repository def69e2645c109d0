import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";

/** Also cancels a pending change of the address: someone else may have requested it. */
export async function setPassword(tx: Tx, userId: number, password_hash: string): Promise<void> {
  await tx
    .updateTable("users")
    .set({ password_hash, password_set_at: sql`clock_timestamp()` })
    .where("id", "=", userId)
    .execute();
  await tx.deleteFrom("address_confirmations").where("user_id", "=", userId).execute();
}
