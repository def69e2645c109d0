import { sql } from "kysely";
import type { z } from "zod";
import type { Report, dismissBody } from "../../shared/reports.ts";
import type { Db } from "../db/connect.ts";
import { invalid } from "../answers/errors.ts";
import { recordReportHistory } from "../record/report-history.ts";
import { tellOfDismissal } from "./subscriptions/tell-of-dismissal.ts";
import { markOriginalChanged } from "./mark-original-changed.ts";
import { requireOriginal } from "./require-original.ts";
import { readReport } from "./read-report.ts";

type Dismissal = z.output<typeof dismissBody> & {
  /** Otherwise the caller cannot name an issue as the original. */
  mayReadIssues: boolean;
  actorId: number;
};

/**
 * Dismisses a report. 404 if the project has no such report; 422 on `category` if it is already promoted or dismissed,
 * and then the recorded reason stays. If two requests race, one wins and the other gets 422. 422 on `duplicate_of` if the
 * original is not in the project, or is a duplicate of this report.
 */
export async function dismissReport(
  db: Db,
  projectId: number,
  reportId: number,
  { category, note, duplicate_of, mayReadIssues, actorId }: Dismissal,
): Promise<Report> {
  return db.transaction().execute(async (tx) => {
    if (duplicate_of) await requireOriginal(tx, projectId, { reportId, ...duplicate_of, mayReadIssues });
    const { numUpdatedRows } = await tx
      .updateTable("reports")
      .set({
        dismissed_at: sql`clock_timestamp()`,
        dismiss_reason: category,
        dismiss_reason_note: note ?? null,
        duplicate_of_report_id: duplicate_of?.report_id ?? null,
        duplicate_of_issue_id: duplicate_of?.issue_id ?? null,
        updated_at: sql`clock_timestamp()`,
      })
      .where("project_id", "=", projectId)
      .where("id", "=", reportId)
      .where("promoted_at", "is", null)
      .where("dismissed_at", "is", null)
      .executeTakeFirst();
    const report = await readReport(tx, projectId, reportId);
    if (numUpdatedRows === 0n)
      throw invalid({
        category: [report.promoted_at ? "the report is already promoted" : "the report is already dismissed"],
      });
    if (duplicate_of) await markOriginalChanged(tx, duplicate_of);
    const { dismiss_reason: reason, dismiss_reason_note, duplicate_of: original } = report;
    const to = { reason, note: dismiss_reason_note, duplicate_of: original };
    await recordReportHistory(tx, projectId, actorId, [{ report_id: reportId, kind: "dismissed", to }]);
    await tellOfDismissal(tx, reportId);
    return report;
  });
}
