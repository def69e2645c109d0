import path from "node:path";
import type { Config } from "../../config/config.ts";
import { FolderStorage } from "./folder-storage.ts";
import type { Storage } from "./storage.ts";

export const attachmentsFolder = (dataDir: string) => path.join(dataDir, "attachments");

/**
 * Where uploads are written before they are stored. This folder is inside the storage folder, so that storing a file only
 * renames it, even if the storage folder is mounted from another disk.
 */
export const uploadsFolder = (dataDir: string) => path.join(attachmentsFolder(dataDir), "uploads");

/** Opens the configured storage: a folder in the data directory, or an S3-compatible store. */
export async function openStorage(config: Pick<Config, "dataDir" | "storage">): Promise<Storage> {
  if (config.storage === undefined) return new FolderStorage(attachmentsFolder(config.dataDir));
  // Load the large client library only if it is needed.
  const { S3Storage } = await import("./s3-storage.ts");
  return new S3Storage(config.storage);
}
