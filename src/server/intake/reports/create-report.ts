import type { z } from "zod";
import { API, MANUAL, type Report, type reportBody } from "../../../shared/reports.ts";
import type { StoredFile } from "../../files/store-files.ts";
import { addAttachments } from "./add-attachment.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import { notifyReportCreated } from "../../inform/notify/report-notifications.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { endOfQueue, lockQueue } from "./queue.ts";
import { noSuchReport, readReport } from "./read-report.ts";

/**
 * A report at the end of the queue, with its files (service.md 4.1). By project token it is another system's: source 1,
 * created by nobody; else it is the user's.
 */
export async function createReport(
  db: Db,
  projectId: number,
  caller: Caller,
  body: z.output<typeof reportBody>,
  files: StoredFile[] = [],
): Promise<Report> {
  const external = caller.kind === "project";
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    await lockQueue(tx, projectId);
    const { id } = await tx
      .insertInto("reports")
      .values({
        project_id: projectId,
        title: body.title,
        description: body.description,
        source: external ? API : MANUAL,
        author_name: body.author_name ?? null,
        created_by: external ? null : caller.user_id,
        rank: await endOfQueue(tx, projectId),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await addAttachments(tx, { projectId, reportId: id, userId: caller.user_id }, files);
    await notifyReportCreated(tx, id);
    return readReport(tx, projectId, id);
  });
}

/** With its attachments, whose files go afterwards; an issue made of it stays. 404 when the project has no such report. */
export async function deleteReport(db: Db, projectId: number, reportId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const report = await tx
      .deleteFrom("reports")
      .where("project_id", "=", projectId)
      .where("id", "=", reportId)
      .returning(["id", "title as name"])
      .executeTakeFirst();
    if (!report) throw noSuchReport();
    await recordAudit(tx, {
      kind: "report.deleted",
      project_id: projectId,
      subject: { type: "report", ...report },
    });
  });
}
