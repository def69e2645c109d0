import { HttpError } from "../../answers/errors.ts";
import type { Storage } from "./storage.ts";

/**
 * Puts the files into storage and calls `commit`, which writes their rows (P12). What was put and gets no row is
 * removed at once, or, when nobody knows whether the rows were written, by the sweep.
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
    await undo();
    throw error;
  }
  try {
    return await commit();
  } catch (error) {
    if (error instanceof HttpError) await undo();
    throw error;
  }
}
