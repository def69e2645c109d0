import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Config } from "../../config/config.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { StartError } from "../../config/start-error.ts";
import { attachDatabase } from "../../db/attach-database.ts";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { exportProject } from "../../integrations/transfer/export/export-project.ts";
import { recordAudit } from "../../record/audit.ts";
import { explainWriteError, openOutput } from "../backup/output.ts";
import { showProgress } from "../backup/progress.ts";

/**
 * `export --project KEY FILE`: writes everything in a project to an archive, beside a running server. `-` is stdout. The file
 * appears when it is complete. Exit code 1 if files of attachments are missing.
 */
export async function runExport(config: Config, key: string, file: string): Promise<void> {
  const log = makeLogger(config.logLevel, 2);
  const source = await attachDatabase(config, log);
  const storage = await openStorage(config);
  const progress = showProgress();
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-export-"));
  try {
    await migrate(source.directUrl);
    const projectId = await prepare(source.directUrl, key);
    const output = await openOutput(file);
    try {
      const { counts, files, missing } = await exportProject(
        { url: source.directUrl, storage, projectId, folder, onProgress: progress.update },
        output.stream,
      );
      await output.keep();
      progress.end();
      const objects = Object.values(counts).reduce((sum, count) => sum + count, 0);
      say(`Exported ${objects} objects and ${files} files of ${key}${file === "-" ? "" : ` to ${file}`}.`);
      if (missing.length > 0) {
        say(`Missing files: ${missing.length} (${missing.slice(0, 10).join(", ")}).`);
        process.exitCode = 1;
      }
    } catch (error) {
      await output.discard().catch(() => {});
      throw explainWriteError(file, error);
    }
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true });
    storage.close();
    await source.stop();
  }
}

/** Finds the project and records the export before its first byte is written, because it gives access to all data. */
async function prepare(url: string, key: string): Promise<number> {
  const { db, close } = connect(url, () => {});
  try {
    const project = await db
      .selectFrom("projects")
      .select("id")
      .where("key", "=", key.toUpperCase())
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (!project) throw new StartError(`There is no project ${key}.`);
    await recordAudit(db, { kind: "export.made", project_id: project.id, details: { of: "project" } });
    return project.id;
  } finally {
    await close();
  }
}

function say(line: string) {
  process.stderr.write(`${line}\n`);
}
