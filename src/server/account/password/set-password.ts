import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";

export async function setPassword(tx: Tx, userId: number, password_hash: string): Promise<void> {
  await tx
    .updateTable("users")
    .set({ password_hash, password_set_at: sql`clock_timestamp()` })
    .where("id", "=", userId)
    .execute();
}
