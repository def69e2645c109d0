import { randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, rename } from "node:fs/promises";
import path from "node:path";

/** A file whose name contains a hash of its content, so it never changes. */
export const VERSIONED = /^[a-z]+-[A-Z0-9]{8}\.js$/;

/**
 * Copies the built files with versioned names into the data directory. Browsers keep widget.js for ten minutes, so after an upgrade
 * some pages still load the files of the version before. Does nothing if the widget is not built.
 */
export async function keepFiles(built: string, kept: string): Promise<void> {
  await mkdir(kept, { recursive: true });
  const existing = new Set(await readdir(kept));
  const names = await readdir(built).catch(() => []);
  for (const name of names.filter((name) => VERSIONED.test(name) && !existing.has(name))) {
    // Rename a complete copy, so that a crash never leaves a part of a file.
    const whole = path.join(kept, `${name}.${randomUUID()}`);
    await copyFile(path.join(built, name), whole);
    await rename(whole, path.join(kept, name));
  }
}
