import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { connectWithoutTimeouts } from "../../db/connect-without-timeouts.ts";
import { lockAgainstMigrations } from "../../db/migration-lock.ts";
import { StartError } from "../../config/start-error.ts";
import { isKey, type Storage } from "../../files/storage/storage.ts";
import { writeArchive, type ArchiveWriter } from "./archive-writer.ts";
import {
  FILE_KEY,
  readAppliedMigrations,
  readSequences,
  readTables,
  tablesWithFiles,
  type Table,
} from "./catalog.ts";
import { copyOut } from "../../db/copy-streams.ts";
import { fileMember, FORMAT, MANIFEST, partMember, type Manifest } from "./manifest.ts";
import type { Progress } from "./progress.ts";

export type BackupOptions = {
  url: string;
  storage: Storage;
  destination: Writable;
  /** Signalbox's version, recorded in the manifest. */
  version: string;
  progress: Progress;
};

export type BackupResult = {
  tables: number;
  rows: number;
  files: number;
  missing: string[];
  bytes: number;
  madeAt: Date;
};

/**
 * Writes a snapshot of the database and the files that its rows refer to into one archive, while the server may be
 * running (docs/decisions/0015-backups.md). `missing` lists the keys of files that are missing or damaged; the archive
 * contains everything else. Throws StartError if the database is empty.
 */
export async function backUp({
  url,
  storage,
  destination,
  version,
  progress,
}: BackupOptions): Promise<BackupResult> {
  const madeAt = new Date();
  const [client, current] = await Promise.all([connectTo(url), connectTo(url)]);
  const archive = writeArchive(destination, madeAt);
  try {
    const migrations = await readAppliedMigrations(client);
    if (migrations.length === 0)
      throw new StartError("The database contains no Signalbox data: nothing to back up.");
    await lockAgainstMigrations(client);
    await client.query("begin transaction isolation level repeatable read, read only");
    const all = await readTables(client);
    const files = await addFiles({ client, current, storage, archive, progress }, tablesWithFiles(all));
    const tables: Manifest["tables"] = [];
    for (const table of all) {
      progress.update(`table ${table.name}`);
      tables.push({ ...table, rows: await addTable(client, archive, table, files.deleted) });
    }
    // Read last and outside of the snapshot, so that no sequence is behind the rows.
    const sequences = await readSequences(current);
    const members = [...archive.members];
    const content: Manifest = {
      format: FORMAT,
      program: version,
      made_at: madeAt.toISOString(),
      migrations: await readAppliedMigrations(client),
      tables,
      sequences,
      members,
      missing_files: files.missing,
    };
    await archive.add(MANIFEST, Buffer.from(JSON.stringify(content)));
    await archive.finish();
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      tables: tables.length,
      rows,
      files: files.added,
      missing: files.missing,
      bytes: archive.bytes(),
      madeAt,
    };
  } catch (error) {
    await archive.abandon();
    throw error;
  } finally {
    await Promise.all([client.end(), current.end()]);
  }
}

/** No timeouts: a large table takes long, and reading files leaves the transaction idle between two statements. */
const connectTo = (url: string) => connectWithoutTimeouts(url, "signalbox backup");

type Work = {
  /** In the transaction of the snapshot. */
  client: pg.Client;
  /** Outside of it: sees the current data. */
  current: pg.Client;
  storage: Storage;
  archive: ArchiveWriter;
  progress: Progress;
};

/**
 * Call before adding rows. A file is deleted right after its row, so a file in the snapshot may be gone. If its row has
 * been deleted meanwhile, its key is returned in `deleted`, and the row must be left out of the archive as well.
 */
async function addFiles(work: Work, tables: Table[]) {
  const deleted: string[] = [];
  const missing: string[] = [];
  let added = 0;
  for (const table of tables)
    for (const { key, sha256 } of await filesOf(work.client, table)) {
      const content = await readFile(work.storage, key);
      if (content && (sha256 === null || sha256 === sha256Of(content))) {
        await work.archive.add(fileMember(key), content);
        work.progress.update(`file ${++added}`);
      } else if (content || (await hasRow(work.current, table, key))) missing.push(key);
      else deleted.push(key);
    }
  return { added, deleted, missing };
}

const sha256Of = (content: Buffer) => createHash("sha256").update(content).digest("hex");

async function filesOf(client: pg.Client, { name, columns }: Table) {
  const hash = columns.includes("sha256") ? "encode(sha256, 'hex')" : "null::text";
  const { rows } = await client.query<{ key: string; sha256: string | null }>(
    `select ${FILE_KEY} as key, ${hash} as sha256 from ${pg.escapeIdentifier(name)} order by ${FILE_KEY}`,
  );
  return rows;
}

/** Reads the whole file into memory, because a tar member starts with its size. Uploads are at most 32 MiB. */
async function readFile(storage: Storage, key: string): Promise<Buffer | undefined> {
  const stream = isKey(key) ? await storage.open(key) : undefined;
  return stream && buffer(stream);
}

async function hasRow(client: pg.Client, { name }: Table, key: string): Promise<boolean> {
  const text = `select exists (select from ${pg.escapeIdentifier(name)} where ${FILE_KEY} = $1) as yes`;
  return (await client.query(text, [key])).rows[0].yes;
}

/** Returns the number of rows. */
async function addTable(
  client: pg.Client,
  archive: ArchiveWriter,
  { name, columns }: Table,
  deleted: string[],
): Promise<number> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  const keys = deleted.map((key) => pg.escapeLiteral(key)).join(", ");
  const where = columns.includes(FILE_KEY) && keys !== "" ? ` where ${FILE_KEY} not in (${keys})` : "";
  const copy = copyOut(client, `copy (select ${list} from ${pg.escapeIdentifier(name)}${where}) to stdout`);
  let part = 0;
  for await (const chunk of copy.chunks) await archive.add(partMember(name, part++), chunk);
  return copy.rows();
}
