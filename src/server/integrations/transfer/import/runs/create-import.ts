import type { Import } from "../../../../../shared/imports.ts";
import type { ImportKind } from "../../../../../shared/import-kinds.ts";
import type { Db } from "../../../../db/connect.ts";
import type { UploadedFile } from "../../../../files/read-multipart.ts";
import { putFiles } from "../../../../files/storage/put-files.ts";
import { newKey, type Storage } from "../../../../files/storage/storage.ts";
import { recordAudit } from "../../../../record/audit.ts";
import { readImport } from "./read-imports.ts";

type NewImport = { projectId: number; kind: ImportKind; file: UploadedFile; userId: number };

/** Stores an uploaded file. A job then checks it with a dry run. */
export async function createImport(
  db: Db,
  storage: Storage,
  { projectId, kind, file, userId }: NewImport,
): Promise<Import> {
  const storage_key = newKey();
  return putFiles(storage, [{ storage_key, path: file.path }], () =>
    db.transaction().execute(async (tx) => {
      const { filename, size, sha256 } = file;
      const { id } = await tx
        .insertInto("imports")
        .values({ project_id: projectId, kind, filename, size, created_by: userId })
        .returning("id")
        .executeTakeFirstOrThrow();
      await tx.insertInto("import_files").values({ import_id: id, storage_key, size, sha256 }).execute();
      await recordAudit(tx, {
        kind: "import.created",
        project_id: projectId,
        subject: { type: "import", id, name: filename },
        details: { kind },
      });
      return readImport(tx, projectId, id);
    }),
  );
}
