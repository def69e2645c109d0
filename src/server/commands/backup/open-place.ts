import type { BackupPlace } from "../../config/backup-settings.ts";
import { FolderPlace } from "./folder-place.ts";
import type { BackupStore } from "./place.ts";

export async function openPlace(place: BackupPlace): Promise<BackupStore> {
  if ("folder" in place) return new FolderPlace(place.folder);
  // Load the large client library only if it is needed.
  const { S3Place } = await import("./s3-place.ts");
  return new S3Place(place);
}
