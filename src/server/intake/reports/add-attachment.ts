import type { Attachment } from "../../../shared/reports.ts";
import type { Db, Tx } from "../../db/connect.ts";
import type { StoredUpload } from "../../files/store-uploads.ts";
import { requireQuota } from "./project-storage.ts";
import { noSuchReport } from "./read-report.ts";

export const ATTACHMENT_COLUMNS = ["id", "filename", "mime_type", "size", "user_id", "created_at"] as const;

type Owner = {
  projectId: number;
  reportId: number;
  userId: number;
  /** Bytes that the attachments of the project may take up; undefined: any number. */
  quota: number | undefined;
};

/** Adds a stored file to an existing report. 404 if the report has been deleted in the meantime, 422 beyond the quota. */
export async function addAttachment(db: Db, owner: Owner, file: StoredUpload): Promise<Attachment> {
  return db.transaction().execute(async (tx) => {
    const report = await tx
      .selectFrom("reports")
      .select("id")
      .where("project_id", "=", owner.projectId)
      .where("id", "=", owner.reportId)
      .forKeyShare()
      .executeTakeFirst();
    if (!report) throw noSuchReport();
    const [attachment] = await insertAttachments(tx, owner, [file]);
    await requireQuota(tx, owner.projectId, owner.quota, "file");
    return attachment as Attachment;
  });
}

/** Inserts one row per stored file, in the order of the files. */
export async function insertAttachments(
  tx: Tx,
  owner: Omit<Owner, "quota">,
  files: StoredUpload[],
): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  for (const file of files)
    attachments.push(
      await tx
        .insertInto("attachments")
        .values({ project_id: owner.projectId, report_id: owner.reportId, user_id: owner.userId, ...file })
        .returning(ATTACHMENT_COLUMNS)
        .executeTakeFirstOrThrow(),
    );
  return attachments;
}
