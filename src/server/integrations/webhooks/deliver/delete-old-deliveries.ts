import { sql } from "kysely";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../../../db/delete-in-batches.ts";
import type { Db } from "../../../db/connect.ts";

const KEPT_DAYS = 14;

/** Deletes deliveries after 14 days, whether sent or not. Returns how many. */
export function deleteOldDeliveries(db: Db, signal?: AbortSignal): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from webhook_deliveries where id in (
            select id from webhook_deliveries
            where created_at < now() - make_interval(days => ${KEPT_DAYS}) limit ${BATCH_ROWS}
          )`.execute(db),
      ),
    signal,
  );
}
