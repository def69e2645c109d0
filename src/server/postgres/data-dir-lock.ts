import { accessSync, constants, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const SQLITE_BUSY = 5;

/** A lock on a file, held until it is released or the process ends, however it ends. */
export type DataDirLock = { release(): void };

/**
 * Takes the lock, or returns undefined at once if another process, or this one, holds it.
 *
 * Node has no call for file locks; an exclusive SQLite transaction on an empty file is one. The operating system
 * holds it (fcntl, LockFileEx), so two starts cannot race, a killed process leaves no stale lock, no process id can be
 * reused, and containers that share the volume see each other's lock. No other code in this process may open the file:
 * on POSIX systems, closing any descriptor of it would drop the lock.
 */
export function lockFile(path: string): DataDirLock | undefined {
  makeFile(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** Sets the mode, because any account that can read the file can lock it. Does not open an existing file, see above. */
function makeFile(path: string): void {
  try {
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    // Throws an error that names the cause, unlike SQLite.
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}
