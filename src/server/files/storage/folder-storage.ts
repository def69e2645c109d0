import { createReadStream } from "node:fs";
import { chmod, mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { isKey, type Storage, type StorageEntry } from "./storage.ts";

/** Other accounts of the machine can read neither the folders nor the files. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Stores files in a folder, spread over 256 subfolders by the first two characters of their keys. Files to be stored must
 * be on the same disk, because they are moved with `rename`.
 */
export class FolderStorage implements Storage {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(key: string, file: string): Promise<void> {
    const target = this.#path(key);
    const folder = path.dirname(target);
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await chmod(file, FILE_MODE);
    await sync(file, "r+");
    await rename(file, target);
    // A new directory entry survives a power cut only after its folder is synced; the same applies to the folder itself.
    await sync(folder, "r");
    await sync(this.#folder, "r");
  }

  async open(key: string): Promise<Readable | undefined> {
    const stream = createReadStream(this.#path(key));
    return new Promise((resolve, reject) => {
      stream.once("open", () => resolve(stream));
      stream.once("error", (error) => (isMissing(error) ? resolve(undefined) : reject(error)));
    });
  }

  async remove(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async *list(): AsyncIterable<StorageEntry> {
    for await (const folder of entries(this.#folder))
      for await (const key of entries(path.join(this.#folder, folder))) {
        if (!isKey(key)) continue;
        const stats = await stat(this.#path(key)).catch(nothingIfMissing);
        if (stats) yield { key, storedAt: stats.mtime };
      }
  }

  close(): void {}

  #path(key: string): string {
    if (!isKey(key)) throw new Error(`${key} is not a key`);
    return path.join(this.#folder, key.slice(0, 2), key);
  }
}

/** Earlier versions created the folder readable for everybody. If it cannot be changed, `doctor` says so. */
export async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, FOLDER_MODE).catch(() => {});
}

async function sync(file: string, flags: "r" | "r+") {
  const handle = await open(file, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The names in a folder; empty if the folder does not exist. */
async function* entries(folder: string): AsyncIterable<string> {
  const found = await opendir(folder).catch(nothingIfMissing);
  if (found) for await (const entry of found) yield entry.name;
}

const isMissing = (error: unknown) =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

function nothingIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
  return undefined;
}
