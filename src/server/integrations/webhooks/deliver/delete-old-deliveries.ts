import type { Db } from "../../../db/connect.ts";
import { deleteOldRows } from "../../../db/delete-old-rows.ts";

const KEPT_DAYS = 14;

/** Deletes deliveries after 14 days, whether sent or not. Returns how many. */
export function deleteOldDeliveries(db: Db, signal?: AbortSignal): Promise<number> {
  return deleteOldRows(db, { table: "webhook_deliveries", column: "created_at", days: KEPT_DAYS }, signal);
}
