import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { lockFile, type DataDirLock } from "../../postgres/data-dir-lock.ts";

/**
 * How far an upgrade has come:
 * - `preparing`: the new file is beside the old one; the server is being stopped, and its database copied
 * - `swapping`: the copy of the database is complete; the files are being exchanged
 * - `starting`: the new version may have changed the database
 * - `listening`: the new version accepts requests, so that going back would lose what it has accepted
 * - `rolling-back`: the database and the file of the old version are being restored
 */
const journal = z.object({
  step: z.enum(["preparing", "swapping", "starting", "listening", "rolling-back"]),
  /** The executable file that is replaced. */
  file: z.string(),
  from: z.object({ version: z.string(), name: z.string() }),
  to: z.object({ version: z.string(), name: z.string() }),
  /** Starts of the new version without the upgrade command, which was killed. */
  starts: z.int().default(0),
});

export type Journal = z.output<typeof journal>;

const folderOf = (dataDir: string) => path.join(dataDir, "upgrade");
const journalFile = (dataDir: string) => path.join(folderOf(dataDir), "journal.json");

/** Undefined if no upgrade is unfinished. */
export async function readJournal(dataDir: string): Promise<Journal | undefined> {
  const text = await readFile(journalFile(dataDir), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined ? undefined : journal.parse(JSON.parse(text));
}

/** Replaces the journal. When this returns, it survives a loss of power. */
export async function writeJournal(dataDir: string, content: Journal): Promise<void> {
  const partial = `${journalFile(dataDir)}.partial`;
  const handle = await open(partial, "w", 0o600);
  try {
    await handle.writeFile(JSON.stringify(content));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, journalFile(dataDir));
  await syncFolder(folderOf(dataDir));
}

export async function removeJournal(dataDir: string): Promise<void> {
  await rm(journalFile(dataDir), { force: true });
  await syncFolder(folderOf(dataDir));
}

/** Held by the upgrade command. Undefined if another one holds it. */
export async function lockUpgrade(dataDir: string): Promise<DataDirLock | undefined> {
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 });
  return lockFile(path.join(folderOf(dataDir), "lock"));
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
