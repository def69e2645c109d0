import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { connectWithoutTimeouts } from "../../db/connect-without-timeouts.ts";
import { migrate, readMigrations } from "../../db/migrate.ts";
import { StartError } from "../../config/start-error.ts";
import { uploadsFolder } from "../../files/storage/open-storage.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { checkArchive, members, type OpenMember } from "./archive-reader.ts";
import { readAppliedMigrations } from "./catalog.ts";
import { loadTables, requireEmptyInstallation, type Load } from "./load-tables.ts";
import { kindOf, type Manifest } from "./manifest.ts";
import type { Progress } from "./progress.ts";

export type RestoreOptions = {
  file: string;
  /** Called after the archive has been checked. */
  openDatabase: () => Promise<{ url: string }>;
  storage: Storage;
  dataDir: string;
  progress: Progress;
};

export type RestoreResult = { manifest: Manifest; rows: number; files: number; steps: string[] };

/**
 * Loads a backup into an empty installation: all files and rows, then the migrations that are newer than the backup.
 * Rows are committed in one transaction after the files, so an interrupted restore leaves an empty installation. Throws
 * StartError without changing anything if the archive is damaged or newer than this version, or the installation is
 * not empty.
 */
export async function restore({
  file,
  openDatabase,
  storage,
  dataDir,
  progress,
}: RestoreOptions): Promise<RestoreResult> {
  progress.update("checking the archive");
  const manifest = await checkArchive(file);
  const backupMigrations = await migrationsOf(manifest);
  const { url } = await openDatabase();
  const client = await connectWithoutTimeouts(url, "signalbox restore");
  try {
    await client.query("set lock_timeout = '10s'");
    // Check before migrating: a database in use must not be changed.
    await requireEmptyInstallation(client);
    await refuseNewerSchema(client, manifest);
    await migrate(url, backupMigrations);
    const load = await loadTables(client, manifest);
    await refuseNewerSchema(client, manifest);
    const files = await putAll({ file, manifest, load, storage, dataDir, progress });
    const rows = await load.commit();
    const steps = await migrate(url);
    await client.query("analyze");
    return { manifest, rows, files, steps };
  } catch (error) {
    throw explainFullDisk(dataDir, error);
  } finally {
    // Rolls back a transaction that was not committed.
    await client.end();
  }
}

/** This version's migrations up to the last one in the archive. */
async function migrationsOf(manifest: Manifest) {
  const migrations = await readMigrations();
  const isKnown = manifest.migrations.every(({ name }, index) => migrations[index]?.name === name);
  if (isKnown) return migrations.slice(0, manifest.migrations.length);
  throw new StartError(
    `The backup has schema ${manifest.migrations.at(-1)?.version} (Signalbox ${manifest.program}), but this version only supports schemas up to ${migrations.at(-1)?.version}. Install the version that made the backup, or a newer one.`,
  );
}

async function refuseNewerSchema(client: pg.Client, manifest: Manifest) {
  const applied = await readAppliedMigrations(client);
  if (applied.length <= manifest.migrations.length) return;
  throw new StartError(
    `The database is empty but has schema ${applied.at(-1)?.version}, which is newer than the backup's schema ${manifest.migrations.at(-1)?.version}. Restore into a new database or a new DATA_DIR; the restore then migrates it to this version.`,
  );
}

type Put = Pick<RestoreOptions, "file" | "storage" | "dataDir" | "progress"> & {
  manifest: Manifest;
  load: Load;
};

/** Returns the number of files. If it fails, none of them stays behind. */
async function putAll({ file, manifest, load, storage, dataDir, progress }: Put): Promise<number> {
  const uploads = uploadsFolder(dataDir);
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(uploads, "restore-"));
  const keys: string[] = [];
  try {
    for await (const member of members(file, manifest.members)) {
      const kind = kindOf(member.name);
      if (kind === undefined || kind === "manifest") await skip(member);
      else if ("table" in kind) {
        progress.update(`table ${kind.table}`);
        await load.add(kind.table, member.body);
      } else {
        const temporary = path.join(folder, kind.file);
        await pipeline(member.body, createWriteStream(temporary, { flags: "wx" }));
        keys.push(kind.file);
        await storage.put(kind.file, temporary);
        await rm(temporary, { force: true });
        progress.update(`file ${keys.length} of ${manifest.members.length}`);
      }
    }
    return keys.length;
  } catch (error) {
    for (const key of keys) await storage.remove(key).catch(() => {});
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of the file system, and of PostgreSQL (`disk_full`). */
const DISK_IS_FULL = new Set(["ENOSPC", "EDQUOT", "53100"]);

/** The error as one line that says what to do, if a disk is full. */
function explainFullDisk(dataDir: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!DISK_IS_FULL.has(code ?? "")) return error;
  const where = code === "53100" ? "The disk of the database" : `The disk of ${dataDir}`;
  return new StartError(
    `${where} is full: ${message}. Nothing was restored. Free some space or move the folder to a larger disk, then restore again.`,
    error,
  );
}

async function skip({ body }: OpenMember) {
  for await (const _ of body);
}
