import path from "node:path";
import type { Config } from "../../config/config.ts";
import { FolderStorage } from "./folder-storage.ts";
import type { Storage } from "./storage.ts";

const folderOf = (dataDir: string) => path.join(dataDir, "attachments");

/**
 * Where files are written before the storage takes them: beside the stored ones, so that a file becomes one of them by a
 * change of its name, whatever disk the folder of attachments is on.
 */
export const uploadsFolder = (dataDir: string) => path.join(folderOf(dataDir), "uploads");

/** As the settings say (running.md): a folder of the data directory, or an S3-compatible store. */
export async function openStorage(config: Pick<Config, "dataDir" | "storage">): Promise<Storage> {
  if (config.storage === undefined) return new FolderStorage(folderOf(config.dataDir));
  // The client library is large; who keeps files in a folder does without it.
  const { S3Storage } = await import("./s3-storage.ts");
  return new S3Storage(config.storage);
}
