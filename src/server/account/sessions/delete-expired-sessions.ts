import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../../db/delete-in-batches.ts";

/** Deletes expired sessions and returns how many. Until then they are ignored. */
export function deleteExpiredSessions(db: Db, signal?: AbortSignal): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from sessions where id in (
            select id from sessions where expires_at <= now()
            order by expires_at limit ${BATCH_ROWS} for update skip locked
          )`.execute(db),
      ),
    signal,
  );
}
