import type { Page } from "../../shared/answers.ts";
import type { ReportActivity } from "../../shared/report-activity.ts";
import { readPage, type PageQuery } from "../answers/page.ts";
import type { Db } from "../db/connect.ts";

/** Oldest first. */
export function listReportActivity(
  db: Db,
  projectId: number,
  reportId: number,
  query: PageQuery,
): Promise<Page<ReportActivity>> {
  const rows = db
    .selectFrom("report_activity")
    .select(["id", "actor_id", "kind", "from", "to", "created_at"])
    .where("project_id", "=", projectId)
    .where("report_id", "=", reportId)
    .$narrowType<{ kind: ReportActivity["kind"] }>();
  return readPage(rows, query, "id");
}
