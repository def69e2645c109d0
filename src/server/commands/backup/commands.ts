import type { Config } from "../../config/config.ts";
import { StartError } from "../../config/start-error.ts";
import { attachDatabase } from "../../db/attach-database.ts";
import { openDatabase } from "../../db/open-database.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { backUpToPlace } from "./back-up-to-place.ts";
import { checkArchive } from "./archive-reader.ts";
import { makeBackup } from "./make-backup.ts";
import { kindOf } from "./manifest.ts";
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
    const result = await makeBackup({
      url: source.directUrl,
      storage,
      output,
      destination: file,
      progress,
      warn: say,
    });
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

/** `backup --verify FILE`: reads the whole backup and compares every part with its checksum. Needs no database. */
export async function runVerify(file: string): Promise<void> {
  const progress = showProgress();
  try {
    progress.update("checking the archive");
    const { tables, members, made_at, program, missing_files } = await checkArchive(file);
    progress.end();
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const files = members.filter(({ name }) => "file" in Object(kindOf(name))).length;
    say(
      `${file} is complete and undamaged: ${rows} rows in ${tables.length} tables and ${files} files, made by Signalbox ${program} at ${made_at}.`,
    );
    reportMissing(missing_files);
  } finally {
    progress.end();
  }
}

/** `backup` without a file: to the folder or store of BACKUP_URL. */
export async function runBackupToPlace(config: Config): Promise<void> {
  const { backup: settings } = config;
  if (!settings)
    throw new StartError("Give a file name, or set BACKUP_URL to a folder or an S3-compatible store.");
  const source = await attachDatabase(config, makeLogger(config.logLevel, 2));
  const storage = await openStorage(config);
  const progress = showProgress();
  try {
    const { directUrl: url } = source;
    const backup = await backUpToPlace({ settings, url, storage, progress, warn: say });
    progress.end();
    say(
      `Backed up ${backup.rows} rows from ${backup.tables} tables and ${backup.files} files to ${backup.destination}.`,
    );
    reportMissing(backup.missing);
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
        return { url: source.directUrl };
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
