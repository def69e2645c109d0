import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import type { Storage } from "./storage.ts";

/** The row of a younger file may not have been committed yet. */
const MIN_AGE_MS = 3_600_000;
/** More orphans than both of these suggest the wrong database, or one restored from an old backup. */
const MAX_ORPHANS = 100;
const MAX_ORPHAN_SHARE = 0.2;

export type Sweep = { outcome: "done" | "refused"; files: number; removed: number; message: string };

/**
 * Removes stored files that belong to no row. A crash after storing a file and before
 * committing its row leaves such files. Refuses if they are more than 100 and more than a fifth of all files.
 */
export async function sweepFiles(
  db: Db,
  storage: Storage,
  now = Date.now(),
  signal?: AbortSignal,
): Promise<Sweep> {
  const orphans: string[] = [];
  let files = 0;
  for await (const batch of batches(storage, now - MIN_AGE_MS)) {
    signal?.throwIfAborted();
    files += batch.length;
    orphans.push(...(await withoutRow(db, batch)));
  }
  if (orphans.length > MAX_ORPHANS && orphans.length > files * MAX_ORPHAN_SHARE) {
    const message = `${orphans.length} of ${files} stored files belong to no attachment, picture or source map of this database; none was removed. Is the storage another installation's?`;
    return { outcome: "refused", files, removed: 0, message };
  }
  for (const key of orphans) {
    signal?.throwIfAborted();
    await storage.remove(key);
  }
  return {
    outcome: "done",
    files,
    removed: orphans.length,
    message: `${orphans.length} of ${files} stored files were left over.`,
  };
}

/** The keys of files stored before the given time, in batches. */
async function* batches(storage: Storage, before: number): AsyncIterable<string[]> {
  let batch: string[] = [];
  for await (const { key, storedAt } of storage.list()) {
    if (storedAt.getTime() >= before) continue;
    if (batch.push(key) < 1_000) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function withoutRow(db: Db, keys: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) key
    where not exists (select from attachments where storage_key = key)
      and not exists (select from profile_pictures where storage_key = key)
      and not exists (select from artifact_files where storage_key = key)
      and not exists (select from artifact_chunks where storage_key = key)
      and not exists (select from import_files where storage_key = key)`.execute(db);
  return rows.map((row) => row.key);
}
