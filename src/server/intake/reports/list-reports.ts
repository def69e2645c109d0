import { sql } from "kysely";
import type { Report, ReportView } from "../../../shared/reports.ts";
import type { Db } from "../../db/connect.ts";
import { selectReports } from "./read-report.ts";

const FILTERS = {
  active: sql`and r.promoted_at is null and r.dismissed_at is null`,
  promoted: sql`and r.promoted_at is not null`,
  dismissed: sql`and r.dismissed_at is not null`,
};

/** The project's reports, all or those of one view, in queue order. */
export async function listReports(db: Db, projectId: number, view?: ReportView): Promise<Report[]> {
  return selectReports(db, projectId, view === undefined ? sql`` : FILTERS[view]);
}
