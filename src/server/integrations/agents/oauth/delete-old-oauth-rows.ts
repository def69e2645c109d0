import { sql } from "kysely";
import type { Db } from "../../../db/connect.ts";
import { deleteRowsWhere } from "../../../db/delete-old-rows.ts";

/** Deletes registrations that nobody has used for a day, and what has expired. Until then, it is ignored. */
export async function deleteOldOauthRows(db: Db, signal?: AbortSignal): Promise<void> {
  const isUnused = sql`used_at is null and created_at < now() - interval '1 day'`;
  await deleteRowsWhere(db, "oauth_clients", isUnused, signal);
  await deleteRowsWhere(db, "oauth_access_tokens", sql`expires_at <= now()`, signal);
  await deleteRowsWhere(db, "oauth_refresh_tokens", sql`expires_at <= now()`, signal);
  await deleteRowsWhere(
    db,
    "personal_tokens",
    sql`oauth_client_id is not null and expires_at <= now()`,
    signal,
  );
}
