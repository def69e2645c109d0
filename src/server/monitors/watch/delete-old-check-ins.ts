import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { deleteOldRows } from "../../db/delete-old-rows.ts";

const KEPT_DAYS = 90;

/** Deletes check-ins, and spans in which no server ran, after 90 days. Returns how many check-ins. */
export async function deleteOldCheckIns(db: Db, signal?: AbortSignal): Promise<number> {
  await sql`delete from monitor_gaps where ended_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  );
  return deleteOldRows(db, { table: "monitor_check_ins", column: "started_at", days: KEPT_DAYS }, signal);
}
