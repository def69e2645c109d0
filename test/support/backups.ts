import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import pg from "pg";
import { connectionOptions } from "../../src/server/db/connection-options.ts";
import { openStorage } from "../../src/server/files/storage/open-storage.ts";
import type { Storage } from "../../src/server/files/storage/storage.ts";
import { backUp } from "../../src/server/commands/backup/backup.ts";
import { restore } from "../../src/server/commands/backup/restore.ts";

export const quiet = { update: () => {}, end: () => {} };

/** A folder for the backups of a test file, deleted after it. Await it at the top of the file. */
export async function makeBackupFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-backup-"));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Source = { database: { url: string }; storage: Storage };

export function backUpTo(
  source: Source,
  file: string,
  storage: Parameters<typeof backUp>[0]["storage"] = source.storage,
) {
  const destination = createWriteStream(file);
  return backUp({ url: source.database.url, storage, destination, version: "0.1.0", progress: quiet });
}

export async function restoreFrom(file: string, url: string, dataDir: string) {
  const storage = await openStorage({ dataDir, storage: undefined });
  return restore({ file, openDatabase: async () => ({ url }), storage, dataDir, progress: quiet });
}

export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
