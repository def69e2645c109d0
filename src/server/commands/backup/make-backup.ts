import { VERSION } from "../../config/version.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { backUp, type BackupResult } from "./backup.ts";
import { rememberBackup } from "./history.ts";
import { explainWriteError, type Output } from "./output.ts";
import type { Progress } from "./progress.ts";
import { recordBackup } from "./record-backup.ts";

type Options = {
  url: string;
  storage: Storage;
  output: Output;
  /** For messages and the history: a file or an address without credentials; `-` for standard output. */
  destination: string;
  progress: Progress;
  /** Called with the reason if the backup could not be recorded, for example on a full disk. It is made nevertheless. */
  warn: (message: string) => void;
};

/** Makes a backup, which appears at its destination when it is complete, and records it. */
export async function makeBackup({
  url,
  storage,
  output,
  destination,
  progress,
  warn,
}: Options): Promise<BackupResult> {
  // Record it before the first byte is written, because a backup gives access to all data.
  await recordBackup(url).catch((error: Error) =>
    warn(`The backup could not be recorded in the audit log: ${error.message}`),
  );
  let result: BackupResult;
  try {
    result = await backUp({ url, storage, destination: output.stream, version: VERSION, progress });
    await output.keep();
  } catch (error) {
    await output.discard().catch(() => {});
    throw explainWriteError(destination, error);
  }
  await rememberBackup(url, destination === "-" ? undefined : destination, result).catch((error: Error) =>
    warn(`The backup could not be added to the history of backups: ${error.message}`),
  );
  return result;
}
