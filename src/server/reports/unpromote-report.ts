import { sql } from "kysely";
import type { Report } from "../../shared/reports.ts";
import { invalid, refused } from "../answers/errors.ts";
import type { Db, Tx } from "../db/connect.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { recordReportHistory } from "../record/report-history.ts";
import { removeUntouchedIssue } from "../work/issues/remove-untouched-issue.ts";
import { noSuchReport, readReport } from "./read-report.ts";

type Unpromotion = { reportId: number; actorId: number; delete_issue?: boolean | undefined };

/**
 * Returns a promoted report to its place in the queue, and deletes the issue if that is asked for. 404 if the project has no
 * such report, 422 if it is not promoted, and on `delete_issue` if its promotion did not create the issue or the issue has
 * changed since. If two requests race, one wins and the other gets 422.
 */
export async function unpromoteReport(
  db: Db,
  projectId: number,
  { reportId, actorId, delete_issue = false }: Unpromotion,
): Promise<Report> {
  return db.transaction().execute(async (tx) => {
    // All promotions hold it, so the report stays promoted to this issue.
    await lockProject(tx, projectId);
    const report = await findPromotion(tx, projectId, reportId);
    if (!report) throw noSuchReport();
    if (report.promoted_at === null) throw refused("The report is not promoted.");
    const { promoted_issue_id: issueId } = report;
    if (delete_issue) {
      if (issueId === null || report.added_to_issue)
        throw invalid({ delete_issue: ["requires an issue that the promotion created"] });
      // Before the report is locked, because this locks error groups.
      await removeUntouchedIssue(tx, projectId, {
        issueId,
        actorId,
        promotion: { since: report.promoted_at, reportId },
      });
    }
    await sql`
      update reports set promoted_issue_id = null, promoted_at = null, added_to_issue = false,
        updated_at = clock_timestamp()
      where id = ${reportId}`.execute(tx);
    // The issue's page lists its reports.
    await sql`update issues set updated_at = clock_timestamp() where id = ${issueId}`.execute(tx);
    await recordReportHistory(tx, projectId, actorId, [
      { report_id: reportId, kind: "unpromoted", from: issueId },
    ]);
    return readReport(tx, projectId, reportId);
  });
}

type Promotion = { promoted_at: string | null; promoted_issue_id: number | null; added_to_issue: boolean };

async function findPromotion(tx: Tx, projectId: number, reportId: number): Promise<Promotion | undefined> {
  const { rows } = await sql<Promotion>`
    select promoted_at, promoted_issue_id, added_to_issue
    from reports where project_id = ${projectId} and id = ${reportId}`.execute(tx);
  return rows[0];
}
