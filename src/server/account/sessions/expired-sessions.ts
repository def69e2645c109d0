import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";

const BATCH = 5_000;

/** Deletes sessions that have expired, in batches; returns how many. Nobody can do anything with them any more. */
export async function deleteExpiredSessions(db: Db): Promise<number> {
  let deleted = 0;
  for (;;) {
    const result = await sql`
      delete from sessions where id in (
        select id from sessions where expires_at <= now() order by expires_at limit ${BATCH} for update skip locked
      )`.execute(db);
    const count = Number(result.numAffectedRows ?? 0n);
    deleted += count;
    if (count < BATCH) return deleted;
  }
}
