import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/connect.ts";
import { batchOf, BATCH_ROWS, deleteInBatches } from "../../db/delete-in-batches.ts";

/** How long a delivery is not processed again. */
const DELIVERY_DAYS = 30;
const CHECK_DAYS = 90;
/** How long commits and requests are kept that name nothing. They are suspects, and say which commits a release has. */
const UNLINKED_DAYS = 365;

/** Deletes old deliveries and checks, and old commits and requests that name nothing. */
export async function deleteOldGitRows(db: Db, signal?: AbortSignal): Promise<void> {
  const older = (column: string, days: number) =>
    sql`${sql.ref(column)} < now() - make_interval(days => ${days}::int)`;
  await deleteRows(db, "git_deliveries", older("received_at", DELIVERY_DAYS), signal);
  await deleteRows(db, "git_checks", older("received_at", CHECK_DAYS), signal);
  const isUnlinked = sql`not exists (select from git_links l where l.change_id = git_changes.id)`;
  await deleteRows(db, "git_changes", sql`${older("stored_at", UNLINKED_DAYS)} and ${isUnlinked}`, signal);
}

function deleteRows(db: Db, table: string, isOld: RawBuilder<unknown>, signal: AbortSignal | undefined) {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from ${sql.table(table)} where ctid in (
            select ctid from ${sql.table(table)} where ${isOld} limit ${sql.lit(BATCH_ROWS)} for update skip locked
          )`.execute(db),
      ),
    signal,
  );
}
