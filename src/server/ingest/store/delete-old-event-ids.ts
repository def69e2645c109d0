import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../../db/delete-in-batches.ts";
import { linkLateEvents } from "../../reports/link-late-events.ts";
import { EVENT_ID_DAYS } from "./without-duplicates.ts";

export async function deleteOldEventIds(db: Db, signal?: AbortSignal): Promise<number> {
  await linkLateEvents(db);
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`delete from error_event_ids where ctid = any(array(
          select ctid from error_event_ids
          where received_at <= now() - make_interval(days => ${EVENT_ID_DAYS})
          order by received_at limit ${BATCH_ROWS}))`.execute(db),
      ),
    signal,
  );
}
