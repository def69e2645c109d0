import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a folder with its parents. Node reports that a parent is missing if it cannot make it for certain reasons, such as a
 * read-only file system; then this throws the reason.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") await makeFirstMissing(path, mode);
    throw error;
  }
}

async function makeFirstMissing(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeFirstMissing(dirname(path), mode);
  }
}
