import { sql } from "kysely";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../../db/delete-in-batches.ts";
import type { Db } from "../../db/connect.ts";

const KEPT_DAYS = 90;

/** Deletes check-ins, and spans in which no server ran, after 90 days. Returns how many check-ins. */
export async function deleteOldCheckIns(db: Db, signal?: AbortSignal): Promise<number> {
  await sql`delete from monitor_gaps where ended_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  );
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from monitor_check_ins where id in (
            select id from monitor_check_ins
            where started_at < now() - make_interval(days => ${KEPT_DAYS}) limit ${BATCH_ROWS}
          )`.execute(db),
      ),
    signal,
  );
}
