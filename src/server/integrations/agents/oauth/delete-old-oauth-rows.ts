import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../../db/connect.ts";
import { batchOf, BATCH_ROWS, deleteInBatches } from "../../../db/delete-in-batches.ts";

/** Deletes registrations that nobody has used for a day, and what has expired. Until then, it is ignored. */
export async function deleteOldOauthRows(db: Db, signal?: AbortSignal): Promise<void> {
  const isUnused = sql`used_at is null and created_at < now() - interval '1 day'`;
  await deleteRows(db, "oauth_clients", isUnused, signal);
  await deleteRows(db, "oauth_access_tokens", sql`expires_at <= now()`, signal);
  await deleteRows(db, "oauth_refresh_tokens", sql`expires_at <= now()`, signal);
  await deleteRows(db, "personal_tokens", sql`oauth_client_id is not null and expires_at <= now()`, signal);
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
