import { sql } from "kysely";
import type { Report } from "../../shared/reports.ts";
import { refused } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { recordReportHistory } from "../record/report-history.ts";
import { lockQueue } from "./queue.ts";
import { markOriginalChanged } from "./mark-original-changed.ts";
import { readReport } from "./read-report.ts";

/**
 * Returns a dismissed report to its place in the queue and keeps the dismissal in its history. 404 if the project has no
 * such report, 422 if it is not dismissed. If two requests race, one wins and the other gets 422.
 */
export async function restoreReport(
  db: Db,
  projectId: number,
  reportId: number,
  actorId: number,
): Promise<Report> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    // Dismissals of duplicates also lock two reports.
    await lockQueue(tx, projectId);
    const { rows } = await sql<{ report_id: number | null; issue_id: number | null }>`
      with dismissed as (
        select * from reports
        where project_id = ${projectId} and id = ${reportId} and dismissed_at is not null and promoted_at is null
        for no key update
      ), kept as (
        insert into report_dismissals (project_id, report_id, dismissed_at, dismiss_reason, dismiss_reason_note,
          duplicate_of_report_id, duplicate_of_issue_id, restored_by)
        select project_id, id, dismissed_at, dismiss_reason, dismiss_reason_note,
          duplicate_of_report_id, duplicate_of_issue_id, ${actorId}::bigint
        from dismissed
      )
      update reports r set dismissed_at = null, dismiss_reason = null, dismiss_reason_note = null,
        duplicate_of_report_id = null, duplicate_of_issue_id = null, updated_at = clock_timestamp()
      from dismissed d where r.id = d.id
      returning d.duplicate_of_report_id as report_id, d.duplicate_of_issue_id as issue_id`.execute(tx);
    const report = await readReport(tx, projectId, reportId);
    const [original] = rows;
    if (!original) throw refused("The report is not dismissed.");
    await markOriginalChanged(tx, original);
    await recordReportHistory(tx, projectId, actorId, [{ report_id: reportId, kind: "restored" }]);
    return report;
  });
}
