import { sql, type RawBuilder } from "kysely";
import type { Report } from "../../../shared/reports.ts";
import type { Db } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";

/** 404 if the project has no such report. */
export async function readReport(db: Db, projectId: number, reportId: number): Promise<Report> {
  const [report] = await readReports(db, projectId, [reportId]);
  if (!report) throw noSuchReport();
  return report;
}

/** The project's reports with these ids, in the order of the ids. Unknown ids are left out. */
export async function readReports(db: Db, projectId: number, ids: number[]): Promise<Report[]> {
  const reports = await selectReports(db, projectId, sql`and r.id = any(${ids}::bigint[])`);
  const byId = new Map(reports.map((report) => [report.id, report]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export const noSuchReport = () => notFound("There is no such report.");

/** The columns of `reports r` in the order of the API's fields. */
const columns = sql`
  r.id, r.title, r.description, r.source, r.author_name, r.project_id, r.created_by, r.promoted_issue_id,
  r.promoted_at, r.dismissed_at, r.dismiss_reason, r.dismiss_reason_note, r.rank,
  coalesce(a.count, 0) as attachments_count, r.created_at, r.updated_at`;

/** The project's reports that match the filter on `r`, in queue order. */
export async function selectReports(
  db: Db,
  projectId: number,
  filter: RawBuilder<unknown>,
): Promise<Report[]> {
  // Counting all attachments of the project once is cheaper than a subquery per report.
  const { rows } = await sql<Report>`
    select ${columns} from reports r
    left join (
      select report_id, count(*) from attachments where project_id = ${projectId} and report_id is not null
      group by report_id
    ) a on a.report_id = r.id
    where r.project_id = ${projectId} ${filter}
    order by r.rank, r.id`.execute(db);
  return rows;
}
