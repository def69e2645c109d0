import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { connectWithoutTimeouts } from "../../db/connect-without-timeouts.ts";
import { MIGRATION_LOCK } from "../../db/migrate.ts";
import { StartError } from "../../config/start-error.ts";
import { isKey, type Storage } from "../../files/storage/storage.ts";
import { writeArchive, type ArchiveWriter } from "./archive-writer.ts";
import { FILE_KEY, readApplied, readSequences, readTables, tablesWithFiles, type Table } from "./catalog.ts";
import { copyOut } from "./copy.ts";
import { fileMember, FORMAT, MANIFEST, partMember, type Manifest } from "./manifest.ts";
import type { Progress } from "./progress.ts";

export type BackupOptions = {
  url: string;
  storage: Storage;
  destination: Writable;
  /** The program's, for the manifest. */
  version: string;
  progress: Progress;
};

export type BackupResult = { tables: number; rows: number; files: number; missing: string[] };

/**
 * Writes the database as one moment shows it and the files of its rows as one archive, beside a server at work
 * (docs/decisions/0015). `missing` are keys whose row has no sound file: what else there is, is in the archive.
 * Throws StartError when there is nothing to back up.
 */
export async function backUp({
  url,
  storage,
  destination,
  version,
  progress,
}: BackupOptions): Promise<BackupResult> {
  const madeAt = new Date();
  const [client, later] = await Promise.all([connectTo(url), connectTo(url)]);
  const archive = writeArchive(destination, madeAt);
  try {
    const migrations = await readApplied(client);
    if (migrations.length === 0) throw new StartError("The database holds no Signalbox: nothing to back up.");
    await client.query("select pg_advisory_lock_shared($1)", [MIGRATION_LOCK]);
    await client.query("begin transaction isolation level repeatable read, read only");
    const all = await readTables(client);
    const files = await addFiles({ client, later, storage, archive, progress }, tablesWithFiles(all));
    const tables: Manifest["tables"] = [];
    for (const table of all) {
      progress.tell(`table ${table.name}`);
      tables.push({ ...table, rows: await addTable(client, archive, table, files.deleted) });
    }
    // Read last: each has given at least the numbers that the snapshot shows.
    const sequences = await readSequences(later);
    const members = [...archive.members];
    const content: Manifest = {
      format: FORMAT,
      program: version,
      made_at: madeAt.toISOString(),
      migrations: await readApplied(client),
      tables,
      sequences,
      members,
      missing_files: files.missing,
    };
    await archive.add(MANIFEST, Buffer.from(JSON.stringify(content)));
    await archive.finish();
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return { tables: tables.length, rows, files: files.added, missing: files.missing };
  } catch (error) {
    await archive.abandon();
    throw error;
  } finally {
    await Promise.all([client.end(), later.end()]);
  }
}

/** A long table, and files between two statements: nothing that could be waited for has a limit. */
const connectTo = (url: string) =>
  connectWithoutTimeouts(url, "signalbox backup", { connectionTimeoutMillis: 5_000, keepAlive: true });

type Work = {
  client: pg.Client;
  later: pg.Client;
  storage: Storage;
  archive: ArchiveWriter;
  progress: Progress;
};

/**
 * Before the rows, because a file goes as soon as its row does: of a row that was deleted since the snapshot the file
 * may be gone, and then its row is left out, too.
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
        work.progress.tell(`file ${++added}`);
      } else if (content || (await hasRow(work.later, table, key))) missing.push(key);
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

/** Whole, because a member's size stands before it: no upload is above 32 MiB. */
async function readFile(storage: Storage, key: string): Promise<Buffer | undefined> {
  const stream = isKey(key) ? await storage.open(key) : undefined;
  return stream && buffer(stream);
}

/** Now, not as the snapshot shows it. */
async function hasRow(client: pg.Client, { name }: Table, key: string): Promise<boolean> {
  const text = `select exists (select from ${pg.escapeIdentifier(name)} where ${FILE_KEY} = $1) as yes`;
  return (await client.query(text, [key])).rows[0].yes;
}

/** Returns how many rows it has. */
async function addTable(
  client: pg.Client,
  archive: ArchiveWriter,
  { name, columns }: Table,
  deleted: string[],
): Promise<number> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  const gone = deleted.map((key) => pg.escapeLiteral(key)).join(", ");
  const where = columns.includes(FILE_KEY) && gone !== "" ? ` where ${FILE_KEY} not in (${gone})` : "";
  const copy = copyOut(client, `copy (select ${list} from ${pg.escapeIdentifier(name)}${where}) to stdout`);
  let part = 0;
  for await (const chunk of copy.chunks) await archive.add(partMember(name, part++), chunk);
  return copy.rows();
}
