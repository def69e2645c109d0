import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { link, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { endLeftovers } from "../../postgres/leftovers.ts";
import { requireSpace } from "../../postgres/require-space.ts";
import { removeJournal, syncFolder, writeJournal, type Journal } from "./journal.ts";

const run = promisify(execFile);

const databaseOf = (dataDir: string) => path.join(dataDir, "postgres/data");
const copyOf = (dataDir: string) => path.join(dataDir, "postgres/data.before-upgrade");
const partialCopyOf = (dataDir: string) => `${copyOf(dataDir)}.partial`;
const copiesIn = (dataDir: string) => [copyOf(dataDir), partialCopyOf(dataDir)];
const failedOf = (dataDir: string, { to }: Journal) =>
  path.join(dataDir, `postgres/data.failed-upgrade-${to.version}`);

export const nextFile = (file: string) => `${file}.next`;
const previousFile = (file: string) => `${file}.previous`;

/** Throws if the disk has no space for a copy of the database. */
export async function requireSpaceForCopy(dataDir: string): Promise<void> {
  const entries = await readdir(databaseOf(dataDir), { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const entry of entries)
    // PostgreSQL deletes files meanwhile.
    if (entry.isFile())
      bytes += (await stat(path.join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  await requireSpace(path.join(dataDir, "postgres"), Math.ceil(bytes / 1_048_576), "a copy of the database");
}

/** The PostgreSQL of a killed server may still be stopping. It must not write while its files are copied or moved. */
const endPostgres = (dataDir: string) =>
  endLeftovers(databaseOf(dataDir), path.join(dataDir, "postgres/socket"));

/** Copies the database of a stopped server. Where the file system can, the copy shares its blocks. */
export async function copyDatabase(dataDir: string): Promise<void> {
  await endPostgres(dataDir);
  const partial = partialCopyOf(dataDir);
  for (const left of copiesIn(dataDir)) await rm(left, { recursive: true, force: true });
  await run("cp", ["-a", databaseOf(dataDir), partial]);
  await run("sync");
  await rename(partial, copyOf(dataDir));
  await syncFolder(path.dirname(copyOf(dataDir)));
}

/** Puts the new file in the place of the old one, which is kept. Repeatable. */
export async function swapFiles(file: string): Promise<void> {
  if (!existsSync(nextFile(file))) return;
  await rm(previousFile(file), { force: true });
  await link(file, previousFile(file));
  await rename(nextFile(file), file);
  await syncFolder(path.dirname(file));
}

/**
 * Restores the old file and, if the new version was started, the database as the old version left it. The new version's database is
 * kept beside it. The caller holds the lock of the data directory. Repeatable, if it was interrupted.
 */
export async function rollBack(dataDir: string, journal: Journal): Promise<void> {
  const isChanged = journal.step !== "preparing" && journal.step !== "swapping";
  if (isChanged) {
    await writeJournal(dataDir, { ...journal, step: "rolling-back" });
    await restoreDatabase(dataDir, journal);
  }
  if (existsSync(previousFile(journal.file))) await rename(previousFile(journal.file), journal.file);
  await finish(dataDir, journal);
}

async function restoreDatabase(dataDir: string, journal: Journal): Promise<void> {
  if (!existsSync(copyOf(dataDir))) return;
  if (existsSync(databaseOf(dataDir))) {
    await endPostgres(dataDir);
    await rm(failedOf(dataDir, journal), { recursive: true, force: true });
    await rename(databaseOf(dataDir), failedOf(dataDir, journal));
  }
  await rename(copyOf(dataDir), databaseOf(dataDir));
  await syncFolder(path.dirname(databaseOf(dataDir)));
}

/** Removes what only an unfinished upgrade needs. */
export async function finish(dataDir: string, { file }: Journal): Promise<void> {
  for (const each of [nextFile(file), previousFile(file)]) await rm(each, { force: true });
  await syncFolder(path.dirname(file));
  await removeJournal(dataDir);
  // After the journal: no rollback may restore a copy that is partly removed.
  for (const each of copiesIn(dataDir)) await rm(each, { recursive: true, force: true });
}

/** Whether an upgrade without a journal was killed, while it checked the new file or removed the copy of the database. */
export const hasLeftovers = (dataDir: string, file: string) =>
  [nextFile(file), ...copiesIn(dataDir)].some((each) => existsSync(each));

export async function removeLeftovers(dataDir: string, file: string): Promise<void> {
  for (const each of [nextFile(file), ...copiesIn(dataDir)]) await rm(each, { recursive: true, force: true });
}
