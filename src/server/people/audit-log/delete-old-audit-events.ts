import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../../db/delete-in-batches.ts";

/**
 * Deletes entries older than 400 days and returns how many. Deletes nothing unless the last retention run was done
 * within a day: otherwise the clock may be wrong. (A trigger rejects the deletion of anything younger.)
 */
export function deleteOldAuditEvents(db: Db, signal?: AbortSignal): Promise<number> {
  return deleteInBatches(
    () =>
      db.transaction().execute(async (tx) => {
        await sql`set local signalbox.audit_retention = 'on'`.execute(tx);
        return batchOf(
          await sql`
            delete from audit_events where id in (
              select id from audit_events where created_at < now() - interval '400 days' and (
                select outcome = 'done' and started_at between now() - interval '25 hours' and now()
                from retention_runs order by id desc limit 1)
              order by created_at limit ${BATCH_ROWS}
            )`.execute(tx),
        );
      }),
    signal,
  );
}
