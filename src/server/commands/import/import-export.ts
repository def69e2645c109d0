import { mkdtemp, rm, mkdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config/config.ts";
import type { Db } from "../../db/connect.ts";
import { FileExaminer } from "../../files/file-examiner.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { importExport, type ExportImported } from "../../integrations/transfer/from-export/import-export.ts";
import type { Addresses } from "../../integrations/transfer/import/people.ts";
import type { LeftOut } from "../../integrations/transfer/import/item.ts";
import type { ImportCounts } from "../../integrations/transfer/import/run-import.ts";

type Import = {
  file: string;
  project: { id: number; key: string };
  addresses: Addresses;
  fallbackAuthorId: number;
  isDryRun: boolean;
  signal: AbortSignal;
  onLeftOut: (row: LeftOut) => void;
  onProgress: (counts: Readonly<ImportCounts>) => void;
};

/** `import signalbox FILE`: opens what the files of an export need. */
export async function importFromExport(db: Db, config: Config, options: Import): Promise<ExportImported> {
  const storage = await openStorage(config);
  const examiner = new FileExaminer();
  const uploads = path.join(config.dataDir, "attachments", "uploads");
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(uploads, "import-"));
  try {
    const { retentionDays } = config;
    return await importExport(db, { ...options, storage, examiner, folder, retentionDays });
  } finally {
    examiner.close();
    storage.close();
    await rm(folder, { recursive: true, force: true });
  }
}
