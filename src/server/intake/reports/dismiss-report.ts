import { sql } from "kysely";
import type { z } from "zod";
import type { Report, dismissBody } from "../../../shared/reports.ts";
import type { Db } from "../../db/connect.ts";
import { invalid } from "../../answers/errors.ts";
import { readReport } from "./read-report.ts";

/**
 * Dismisses a report. 404 if the project has no such report; 422 on `category` if it is already promoted or dismissed,
 * and then the recorded reason stays. If two requests race, one wins and the other gets 422.
 */
export async function dismissReport(
  db: Db,
  projectId: number,
  reportId: number,
  { category, note }: z.output<typeof dismissBody>,
): Promise<Report> {
  const { numUpdatedRows } = await db
    .updateTable("reports")
    .set({
      dismissed_at: sql`clock_timestamp()`,
      dismiss_reason: category,
      dismiss_reason_note: note ?? null,
      updated_at: sql`clock_timestamp()`,
    })
    .where("project_id", "=", projectId)
    .where("id", "=", reportId)
    .where("promoted_at", "is", null)
    .where("dismissed_at", "is", null)
    .executeTakeFirst();
  const report = await readReport(db, projectId, reportId);
  if (numUpdatedRows === 0n)
    throw invalid({
      category: [report.promoted_at ? "the report is already promoted" : "the report is already dismissed"],
    });
  return report;
}
