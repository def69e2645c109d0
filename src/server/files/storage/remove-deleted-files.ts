import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Db, Outside } from "../../db/connect.ts";
import type { Storage } from "./storage.ts";

const BATCH = 100;

/**
 * Removes the stored files whose rows have been deleted, and returns how many. Concurrent runs are harmless, because keys
 * are never reused. A file that cannot be removed stays in `file_deletions`, and the next run tries again.
 */
export async function removeDeletedFiles(db: Db, storage: Storage, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  for (;;) {
    signal?.throwIfAborted();
    const rows = await db
      .selectFrom("file_deletions")
      .select("storage_key")
      .orderBy("storage_key")
      .limit(BATCH)
      .execute();
    const keys = rows.map((row) => row.storage_key);
    for (const key of keys) await storage.remove(key);
    await sql`delete from file_deletions where storage_key = any(${keys}::text[])`.execute(db);
    removed += keys.length;
    if (keys.length < BATCH) return removed;
  }
}

/**
 * Called right after rows are deleted. If the storage fails, the request still succeeds; the daily job removes the files.
 * `outside` is not a request's transaction: if that is rolled back, the row still exists and needs its file.
 */
export async function removeDeletedFilesNow(
  outside: Outside,
  storage: Storage,
  log: FastifyBaseLogger,
): Promise<void> {
  await removeDeletedFiles(outside, storage).catch((error: Error) =>
    log.warn(
      { err: error },
      "files of deleted attachments or pictures could not be removed; the daily job will retry",
    ),
  );
}
