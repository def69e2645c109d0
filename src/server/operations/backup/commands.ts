import { recordBackup } from "./record-backup.ts";
import type { Config } from "../../config/config.ts";
import { attachDatabase } from "../../db/attach-database.ts";
import { openDatabase } from "../../db/open-database.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { VERSION } from "../../config/version.ts";
import { backUp } from "./backup.ts";
import { openOutput } from "./output.ts";
import { showProgress } from "./progress.ts";
import { restore } from "./restore.ts";

const MAX_NAMED = 10;

/** `backup FILE`. Exit code 1 if files are missing. Messages go to stderr, because stdout may be the backup. */
export async function runBackup(config: Config, file: string): Promise<void> {
  const source = await attachDatabase(config, makeLogger(config.logLevel, 2));
  const storage = await openStorage(config);
  const progress = showProgress();
  try {
    const output = await openOutput(file);
    // Record before the first byte is written. If that fails, for example on a full disk, the backup is still made.
    await recordBackup(source.url).catch((error: Error) =>
      say(`The backup could not be recorded in the audit log: ${error.message}`),
    );
    const options = {
      url: source.url,
      storage,
      destination: output.stream,
      version: VERSION,
      progress,
    };
    const result = await backUp(options).catch(async (error: unknown) => {
      await output.discard();
      throw error;
    });
    await output.keep();
    progress.end();
    say(
      `Backed up ${result.rows} rows from ${result.tables} tables and ${result.files} files${file === "-" ? "" : ` to ${file}`}.`,
    );
    reportMissing(result.missing);
  } finally {
    progress.end();
    storage.close();
    await source.stop();
  }
}

function reportMissing(missing: string[]) {
  if (missing.length === 0) return;
  const names = missing.slice(0, MAX_NAMED).join(", ");
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : "";
  say(`The backup is incomplete. Missing or damaged files: ${missing.length} (${names}${more}).`);
  process.exitCode = 1;
}

export async function runRestore(config: Config, file: string): Promise<void> {
  let stop = async () => {};
  const storage = await openStorage(config);
  const progress = showProgress();
  try {
    const { manifest, rows, files, steps } = await restore({
      file,
      openDatabase: async () => {
        const source = await openDatabase(config, makeLogger(config.logLevel, 2));
        stop = source.stop;
        return source;
      },
      storage,
      dataDir: config.dataDir,
      progress,
    });
    progress.end();
    say(
      `Restored ${rows} rows in ${manifest.tables.length} tables and ${files} files from the backup of ${manifest.made_at}.`,
    );
    if (steps.length > 0) say(`Applied migrations: ${steps.join(", ")}.`);
    if (manifest.missing_files.length > 0)
      say(`Files that were already missing from the backup: ${manifest.missing_files.length}.`);
  } finally {
    progress.end();
    storage.close();
    await stop();
  }
}

function say(line: string) {
  process.stderr.write(`${line}\n`);
}
