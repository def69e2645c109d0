import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { deleteRowsWhere } from "../../db/delete-old-rows.ts";

/** How long a delivery is not processed again. */
const DELIVERY_DAYS = 30;
const CHECK_DAYS = 90;
/** How long commits and requests are kept that name nothing. They are suspects, and say which commits a release has. */
const UNLINKED_DAYS = 365;

/** Deletes old deliveries and checks, and old commits and requests that name nothing. */
export async function deleteOldGitRows(db: Db, signal?: AbortSignal): Promise<void> {
  const older = (column: string, days: number) =>
    sql`${sql.ref(column)} < now() - make_interval(days => ${days}::int)`;
  await deleteRowsWhere(db, "git_deliveries", older("received_at", DELIVERY_DAYS), signal);
  await deleteRowsWhere(db, "git_checks", older("received_at", CHECK_DAYS), signal);
  const isUnlinked = sql`not exists (select from git_links l where l.change_id = git_changes.id)`;
  await deleteRowsWhere(
    db,
    "git_changes",
    sql`${older("stored_at", UNLINKED_DAYS)} and ${isUnlinked}`,
    signal,
  );
}
