import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { mock, test } from "node:test";
import { endPrograms } from "./program.ts";

/** For what a process still does after its last test, such as closing connections. */
const EXIT_TIMEOUT_MS = 30_000;

/**
 * Runs up to `most` of the files, one after another, that no other process has claimed in the folder `queue`. A file is a
 * test whose subtests are those in the file.
 */
export async function runQueuedFiles(queue: string, most: number, files: [name: string, url: string][]) {
  let ran = 0;
  for (const [n, [name, url]] of files.entries()) {
    if (ran === most) break;
    if (!claim(path.join(queue, String(n)))) continue;
    ran++;
    await test(name, () => import(url));
    mock.reset();
    endPrograms();
  }
  exitSoon();
}

/** Fails instead of waiting forever for something that a test did not close. */
function exitSoon() {
  setTimeout(() => {
    console.error("A test left open:", process.getActiveResourcesInfo().join(", "));
    process.exit(1);
  }, EXIT_TIMEOUT_MS).unref();
}

/** Whether this process is the first to create the file. */
function claim(file: string): boolean {
  try {
    closeSync(openSync(file, "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
