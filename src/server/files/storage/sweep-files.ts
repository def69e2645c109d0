import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import type { Storage } from "./storage.ts";

/** A younger file may belong to a row that is about to be written. */
const OLD_MS = 3_600_000;
/** Above both of these something else is wrong: another database, say, or one restored from long ago. */
const MANY = 100;
const SHARE = 0.2;

export type Sweep = { outcome: "done" | "refused"; files: number; removed: number; message: string };

/**
 * Removes files that no attachment and no profile picture has: what a crash between a file and its row leaves behind (P12). Refuses when they
 * are more than a hundred and more than a fifth of all files.
 */
export async function sweepFiles(db: Db, storage: Storage, now = Date.now()): Promise<Sweep> {
  const orphans: string[] = [];
  let files = 0;
  for await (const batch of batches(storage, now - OLD_MS)) {
    files += batch.length;
    orphans.push(...(await withoutRow(db, batch)));
  }
  if (orphans.length > MANY && orphans.length > files * SHARE) {
    const message = `${orphans.length} of ${files} stored files belong to no attachment or picture of this database; none was removed. Is the storage another installation's?`;
    return { outcome: "refused", files, removed: 0, message };
  }
  for (const key of orphans) await storage.remove(key);
  return {
    outcome: "done",
    files,
    removed: orphans.length,
    message: `${orphans.length} of ${files} stored files were left over.`,
  };
}

/** Keys of files stored before the moment. */
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
      and not exists (select from profile_pictures where storage_key = key)`.execute(db);
  return rows.map((row) => row.key);
}
