import { sql } from "kysely";
import { DEVICE_DAYS } from "../../access/sessions.ts";
import type { Db } from "../../db/connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../../db/delete-in-batches.ts";

/** Deletes the devices whose cookies have expired and returns how many. */
export function deleteForgottenDevices(db: Db, signal?: AbortSignal): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from known_devices where (user_id, device_hash) in (
            select user_id, device_hash from known_devices
            where last_used_at < now() - make_interval(days => ${DEVICE_DAYS})
            order by last_used_at limit ${BATCH_ROWS} for update skip locked
          )`.execute(db),
      ),
    signal,
  );
}
