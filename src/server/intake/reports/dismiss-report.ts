import { sql } from "kysely";
import type { z } from "zod";
import type { Report, dismissBody } from "../../../shared/reports.ts";
import type { Db } from "../../db/connect.ts";
import { invalid } from "../../answers/errors.ts";
import { readReport } from "./read-report.ts";

/**
 * Dismisses a report that is neither promoted nor dismissed (service.md 3.1). Else 422 on `category`, and the recorded
 * reason stays; 404 when it is not a report of the project. Of two at once one wins.
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
      category: [report.promoted_at ? "the report is promoted already" : "the report is dismissed already"],
    });
  return report;
}
