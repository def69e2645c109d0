import type { Readable } from "node:stream";
import type { Attachment } from "../../../shared/reports.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";
import type { StoredFile } from "../../files/store-files.ts";
import { noSuchReport } from "./read-report.ts";
import type { Storage } from "../../files/storage/storage.ts";

const SHOWN = ["id", "filename", "mime_type", "size", "user_id", "created_at"] as const;

/** Of a report, oldest first (service.md 4.1). 404 when the project has no such report. */
export async function listAttachments(db: Db, projectId: number, reportId: number): Promise<Attachment[]> {
  await requireReport(db, projectId, reportId);
  return db
    .selectFrom("attachments")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .where("report_id", "=", reportId)
    .orderBy("id")
    .execute();
}

export async function requireReport(db: Db, projectId: number, reportId: number): Promise<void> {
  const row = await db
    .selectFrom("reports")
    .select("id")
    .where("project_id", "=", projectId)
    .where("id", "=", reportId)
    .executeTakeFirst();
  if (!row) throw noSuchReport();
}

type Place = { projectId: number; reportId: number; userId: number };

/** Rows for files that are stored, in their order. */
export async function addAttachments(tx: Tx, place: Place, files: StoredFile[]): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  for (const file of files)
    attachments.push(
      await tx
        .insertInto("attachments")
        .values({ project_id: place.projectId, report_id: place.reportId, user_id: place.userId, ...file })
        .returning(SHOWN)
        .executeTakeFirstOrThrow(),
    );
  return attachments;
}

/** A further file of a report that is there; 404 when it has been deleted meanwhile. */
export async function addAttachment(db: Db, place: Place, file: StoredFile): Promise<Attachment> {
  return db.transaction().execute(async (tx) => {
    const report = await tx
      .selectFrom("reports")
      .select("id")
      .where("project_id", "=", place.projectId)
      .where("id", "=", place.reportId)
      .forKeyShare()
      .executeTakeFirst();
    if (!report) throw noSuchReport();
    const [attachment] = await addAttachments(tx, place, [file]);
    return attachment as Attachment;
  });
}

export type Download = { filename: string; mime_type: string; size: number; stream: Readable };

/** The file as it is stored. 404 when the report has no such attachment. */
export async function openAttachment(
  db: Db,
  storage: Storage,
  path: { projectId: number; reportId: number; attachmentId: number },
): Promise<Download> {
  const read = () =>
    db
      .selectFrom("attachments")
      .select(["filename", "mime_type", "size", "storage_key"])
      .where("project_id", "=", path.projectId)
      .where("report_id", "=", path.reportId)
      .where("id", "=", path.attachmentId)
      .executeTakeFirst();
  const row = await read();
  if (!row) throw noSuchAttachment();
  const { storage_key, ...file } = row;
  const stream = await storage.open(storage_key);
  if (stream) return { ...file, stream };
  // Deleted between the two looks; if not, somebody emptied the storage.
  if (!(await read())) throw noSuchAttachment();
  throw new Error(`the file ${storage_key} of attachment ${path.attachmentId} is not in storage`);
}

export const noSuchAttachment = () => notFound("There is no such attachment.");
