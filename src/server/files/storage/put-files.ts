import { HttpError } from "../../answers/errors.ts";
import { StorageUnavailable, type Storage } from "./storage.ts";

/**
 * Puts the files into storage and calls `commit`, which writes their rows. If storing fails, or `commit` throws an HttpError, no
 * rows were written, and the files are removed immediately. After any other error the rows may have been committed, so the files
 * stay, and the sweep later removes those without rows. It also removes files that could not be removed because storage failed.
 */
export async function putFiles<T>(
  storage: Storage,
  files: { storage_key: string; path: string }[],
  commit: () => Promise<T>,
): Promise<T> {
  const keys: string[] = [];
  const undo = async () => {
    for (const key of keys) await storage.remove(key).catch(() => {});
  };
  try {
    for (const { storage_key, path } of files) {
      keys.push(storage_key);
      await storage.put(storage_key, path);
    }
  } catch (error) {
    // If the store does not answer, removing files would make the client wait for it once more per file.
    if (!(error instanceof StorageUnavailable)) await undo();
    throw error;
  }
  try {
    return await commit();
  } catch (error) {
    if (error instanceof HttpError) await undo();
    throw error;
  }
}
