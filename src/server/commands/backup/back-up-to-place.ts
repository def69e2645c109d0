import type { BackupPlace, BackupSettings } from "../../config/backup-settings.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { backupName } from "./backup-name.ts";
import type { BackupResult } from "./backup.ts";
import { makeBackup } from "./make-backup.ts";
import type { BackupStore } from "./place.ts";
import type { Progress } from "./progress.ts";
import { FolderPlace } from "./folder-place.ts";

type Options = {
  settings: BackupSettings;
  url: string;
  storage: Storage;
  progress: Progress;
  warn: (message: string) => void;
  /** Aborts the backup and removes what was written. */
  signal?: AbortSignal;
  now?: Date;
};

/** Makes a backup in the folder or store of BACKUP_URL, and removes the oldest backups there beyond the number to keep. */
export async function backUpToPlace({
  settings,
  signal,
  now = new Date(),
  ...work
}: Options): Promise<BackupResult & { destination: string }> {
  const place = await openPlace(settings.place);
  try {
    const name = backupName(now);
    const destination = place.addressOf(name);
    const output = await place.open(name, signal);
    const abort = () => void output.stream.destroy(signal?.reason);
    signal?.addEventListener("abort", abort);
    const result = await makeBackup({ ...work, output, destination }).finally(() =>
      signal?.removeEventListener("abort", abort),
    );
    await removeOld(place, settings.keep, signal).catch((error: Error) =>
      work.warn(`Old backups could not be removed: ${error.message}`),
    );
    return { ...result, destination };
  } finally {
    place.close();
  }
}

/** Only after a complete backup, so that failing ones never remove the last good one. */
async function removeOld(place: BackupStore, keep: number, signal?: AbortSignal): Promise<void> {
  const names = (await place.list(signal)).toSorted();
  for (const name of names.slice(0, -keep)) await place.remove(name, signal);
}

async function openPlace(place: BackupPlace): Promise<BackupStore> {
  if ("folder" in place) return new FolderPlace(place.folder);
  // Load the large client library only if it is needed.
  const { S3Place } = await import("./s3-place.ts");
  return new S3Place(place);
}
