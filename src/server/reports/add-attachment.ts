import type { Attachment } from "../../shared/attachments.ts";
import { insertAttachments } from "../attachments/insert-attachments.ts";
import type { Db } from "../db/connect.ts";
import type { StoredUpload } from "../files/store-uploads.ts";
import { noSuchReport } from "./read-report.ts";

type Owner = {
  projectId: number;
  reportId: number;
  userId: number;
  /** The most bytes that the project's attachments may take up; undefined for no limit. */
  quota: number | undefined;
};

/** Adds a stored file to an existing report. 404 if the report has been deleted in the meantime, 422 beyond the quota. */
export async function addAttachment(
  db: Db,
  { projectId, reportId, userId, quota }: Owner,
  file: StoredUpload,
): Promise<Attachment> {
  return db.transaction().execute(async (tx) => {
    const report = await tx
      .selectFrom("reports")
      .select("id")
      .where("project_id", "=", projectId)
      .where("id", "=", reportId)
      .forKeyShare()
      .executeTakeFirst();
    if (!report) throw noSuchReport();
    const owner = { project_id: projectId, report_id: reportId };
    const [attachment] = await insertAttachments(tx, owner, [file], { userId, quota, field: "file" });
    return attachment as Attachment;
  });
}
