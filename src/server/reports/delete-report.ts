import { noteDeletion } from "../record/changed-objects.ts";
import { recordAudit } from "../record/audit.ts";
import type { Db } from "../db/connect.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { noSuchReport } from "./read-report.ts";
import { deleteSubscriberMails } from "./subscriptions/forget-subscribers.ts";

/**
 * Deletes a report and its attachment rows. The stored files are removed later; an issue the report was promoted to
 * stays. 404 if the project has no such report.
 */
export async function deleteReport(db: Db, projectId: number, reportId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Deleting a report changes its duplicates, too.
    await lockProject(tx, projectId);
    await noteDeletion(tx, { kind: "report", id: reportId, projectId });
    await deleteSubscriberMails(tx, reportId);
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
