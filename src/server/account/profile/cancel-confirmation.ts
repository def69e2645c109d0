import type { Db } from "../../db/connect.ts";

/** Voids the link, so that the address stays as it is. */
export async function cancelConfirmation(db: Db, userId: number): Promise<void> {
  await db.deleteFrom("address_confirmations").where("user_id", "=", userId).execute();
}
