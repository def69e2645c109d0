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

const SHOWN = 10;

/** `backup FILE`: exit code 1 when a file is missing from it. Everything said goes to stderr: stdout may be the backup. */
export async function runBackup(config: Config, file: string): Promise<void> {
  const source = await attachDatabase(config, makeLogger(config.logLevel, 2));
  const storage = await openStorage(config);
  const progress = showProgress();
  try {
    const output = await openOutput(file);
    // Before the first byte goes out. A full disk is a reason to make a backup, so it is made all the same.
    await recordBackup(source.url).catch((error: Error) =>
      say(`The audit log does not tell of it: ${error.message}`),
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
      `Backed up ${result.rows} rows of ${result.tables} tables and ${result.files} files${file === "-" ? "" : ` to ${file}`}.`,
    );
    sayMissing(result.missing);
  } finally {
    progress.end();
    storage.close();
    await source.stop();
  }
}

function sayMissing(missing: string[]) {
  if (missing.length === 0) return;
  const names = missing.slice(0, SHOWN).join(", ");
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : "";
  say(
    `The backup is not complete: ${missing.length} files are missing from the storage or damaged: ${names}${more}.`,
  );
  process.exitCode = 1;
}

/** `restore FILE`. */
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
      `Restored ${rows} rows of ${manifest.tables.length} tables and ${files} files of ${manifest.made_at}.`,
    );
    if (steps.length > 0) say(`Brought to this version: ${steps.join(", ")}.`);
    if (manifest.missing_files.length > 0)
      say(`${manifest.missing_files.length} files were missing when the backup was made.`);
  } finally {
    progress.end();
    storage.close();
    await stop();
  }
}

function say(line: string) {
  process.stderr.write(`${line}\n`);
}
