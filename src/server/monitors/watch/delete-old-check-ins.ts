import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { deleteOldRows } from "../../db/delete-old-rows.ts";

const KEPT_DAYS = 90;

/** More runs are those of a server that restarts again and again. */
const KEPT_RUNS = 1_000;

/** Deletes check-ins and runs of servers after 90 days. Returns how many check-ins. */
export async function deleteOldCheckIns(db: Db, signal?: AbortSignal): Promise<number> {
  await sql`
    delete from server_runs where ran_at < now() - make_interval(days => ${KEPT_DAYS})
      or id <= (select id from server_runs order by id desc offset ${KEPT_RUNS} limit 1)`.execute(db);
  return deleteOldRows(db, { table: "monitor_check_ins", column: "started_at", days: KEPT_DAYS }, signal);
}
