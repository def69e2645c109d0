import type { Attachment } from "../../../shared/reports.ts";
import type { Db } from "../../db/connect.ts";
import { ATTACHMENT_COLUMNS } from "./add-attachment.ts";

/** The report's attachments, oldest first. */
export function listAttachments(db: Db, projectId: number, reportId: number): Promise<Attachment[]> {
  return db
    .selectFrom("attachments")
    .select(ATTACHMENT_COLUMNS)
    .where("project_id", "=", projectId)
    .where("report_id", "=", reportId)
    .orderBy("id")
    .execute();
}
