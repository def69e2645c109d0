import type { Db, Tx } from "../../db/connect.ts";

/**
 * Records that someone forgot the password of an address. It does the same for known and unknown addresses, so that
 * neither the response nor its timing reveals which addresses have accounts.
 */
export async function requestPasswordReset(db: Db | Tx, email: string): Promise<void> {
  await db.insertInto("password_requests").values({ email }).execute();
}
