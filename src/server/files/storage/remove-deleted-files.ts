import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import type { Storage } from "./storage.ts";

const AT_ONCE = 100;

/**
 * Removes the files whose rows are gone (P12), and returns how many. Two at once do no harm: a key is never used
 * again. A file that cannot be removed stays noted, and the next run tries again.
 */
export async function removeDeletedFiles(db: Db, storage: Storage): Promise<number> {
  let removed = 0;
  for (;;) {
    const rows = await db
      .selectFrom("file_deletions")
      .select("storage_key")
      .orderBy("storage_key")
      .limit(AT_ONCE)
      .execute();
    const keys = rows.map((row) => row.storage_key);
    for (const key of keys) await storage.remove(key);
    await sql`delete from file_deletions where storage_key = any(${keys}::text[])`.execute(db);
    removed += keys.length;
    if (keys.length < AT_ONCE) return removed;
  }
}

/** Right after a deletion; a storage that is out of order is not the caller's concern, the daily work goes on later. */
export async function removeDeletedFilesNow(db: Db, storage: Storage, log: FastifyBaseLogger): Promise<void> {
  await removeDeletedFiles(db, storage).catch((error: Error) =>
    log.warn({ err: error }, "files of deleted attachments or pictures could not be removed yet"),
  );
}
