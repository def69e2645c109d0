import type { z } from "zod";
import { API, MANUAL, type Report, type reportBody } from "../../../shared/reports.ts";
import type { StoredUpload } from "../../files/store-uploads.ts";
import { insertAttachments } from "../../attachments/insert-attachments.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import { notifyReportCreated } from "../../inform/notify/report-notifications.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { endOfQueue, lockQueue } from "./queue.ts";
import { readReport } from "./read-report.ts";

/**
 * Creates a report with its files at the end of the queue. A report created with a project token comes from another
 * system: its source is API and it has no creator.
 */
export async function createReport(
  db: Db,
  projectId: number,
  caller: Caller,
  body: z.output<typeof reportBody>,
  { files, quota }: { files: StoredUpload[]; quota: number | undefined } = { files: [], quota: undefined },
): Promise<Report> {
  const isExternal = caller.kind === "project";
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    await lockQueue(tx, projectId);
    const { id } = await tx
      .insertInto("reports")
      .values({
        project_id: projectId,
        title: body.title,
        description: body.description,
        source: isExternal ? API : MANUAL,
        author_name: body.author_name ?? null,
        created_by: isExternal ? null : caller.user_id,
        rank: await endOfQueue(tx, projectId),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const uploaded = { userId: caller.user_id, quota, field: "files" };
    await insertAttachments(tx, { project_id: projectId, report_id: id }, files, uploaded);
    await notifyReportCreated(tx, id);
    return readReport(tx, projectId, id);
  });
}
