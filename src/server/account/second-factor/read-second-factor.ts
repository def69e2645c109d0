import type { SecondFactor } from "../../../shared/sign-in.ts";
import type { Db } from "../../db/connect.ts";

/** A second factor is active once it has been confirmed. */
export async function readSecondFactor(db: Db, userId: number): Promise<SecondFactor> {
  const row = await db
    .selectFrom("second_factors as f")
    .leftJoin("recovery_codes as c", "c.user_id", "f.user_id")
    .select((query) => query.fn.count<number>("c.user_id").as("left"))
    .where("f.user_id", "=", userId)
    .where("f.confirmed_at", "is not", null)
    .groupBy("f.user_id")
    .executeTakeFirst();
  return { active: row !== undefined, recovery_codes_left: row?.left ?? 0 };
}
