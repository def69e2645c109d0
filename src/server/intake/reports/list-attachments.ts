import type { Attachment } from "../../../shared/reports.ts";
import type { Db } from "../../db/connect.ts";
import { ATTACHMENT_COLUMNS } from "./add-attachment.ts";
import { requireReport } from "./read-report.ts";

/** The report's attachments, oldest first. 404 if the project has no such report. */
export async function listAttachments(db: Db, projectId: number, reportId: number): Promise<Attachment[]> {
  const attachments = await db
    .selectFrom("attachments")
    .select(ATTACHMENT_COLUMNS)
    .where("project_id", "=", projectId)
    .where("report_id", "=", reportId)
    .orderBy("id")
    .execute();
  if (attachments.length === 0) await requireReport(db, projectId, reportId);
  return attachments;
}
