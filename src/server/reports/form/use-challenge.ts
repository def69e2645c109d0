import { hash } from "node:crypto";
import { sql } from "kysely";
import { forbidden } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";

/** 403 if a report was sent with the challenge before. If two requests use it at the same time, one waits for the other. */
export async function useChallenge(tx: Tx, token: string): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("used_challenges")
    .values({ key: keyOf(token) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) throw notSolved();
}

/** Checks before images are examined, which takes time. */
export async function requireUnusedChallenge(db: Db, token: string): Promise<void> {
  const row = await db
    .selectFrom("used_challenges")
    .select("key")
    .where("key", "=", keyOf(token))
    .executeTakeFirst();
  if (row) throw notSolved();
}

const keyOf = (token: string) => hash("sha256", token, "buffer");

export const notSolved = () =>
  forbidden("The form was not confirmed, or it was open for too long. Load it again and send it once more.");

/** Expired challenges are refused anyway. */
export async function deleteUsedChallenges(db: Db): Promise<void> {
  await sql`delete from used_challenges where used_at < clock_timestamp() - interval '20 minutes'`.execute(
    db,
  );
}
