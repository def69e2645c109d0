import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../db/delete-in-batches.ts";

/** Deletes the stored responses that are no longer repeated and returns how many. */
export function deleteOldAnswers(db: Db, signal?: AbortSignal): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from idempotency_keys where key_hash in (
            select key_hash from idempotency_keys where created_at < clock_timestamp() - interval '24 hours'
            order by created_at limit ${BATCH_ROWS} for update skip locked
          )`.execute(db),
      ),
    signal,
  );
}
