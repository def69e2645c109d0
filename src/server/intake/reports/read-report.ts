import { sql, type RawBuilder } from "kysely";
import type { Report, ReportView } from "../../../shared/reports.ts";
import type { Db } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";

/** In the order of the resource (service.md 2.1); `reports r`, and how many attachments each has. */
const columns = sql`
  r.id, r.title, r.description, r.source, r.author_name, r.project_id, r.created_by, r.promoted_issue_id,
  r.promoted_at, r.dismissed_at, r.dismiss_reason, r.dismiss_reason_note, r.rank,
  coalesce(a.count, 0) as attachments_count, r.created_at, r.updated_at`;

const VIEWS = {
  active: sql`and r.promoted_at is null and r.dismissed_at is null`,
  promoted: sql`and r.promoted_at is not null`,
  dismissed: sql`and r.dismissed_at is not null`,
};

/** The project's reports, or those of a view, in the order of the queue (service.md 4.1). */
export async function listReports(db: Db, projectId: number, view?: ReportView): Promise<Report[]> {
  return select(db, projectId, view === undefined ? sql`` : VIEWS[view]);
}

/** 404 when it is not a report of this project. */
export async function readReport(db: Db, projectId: number, reportId: number): Promise<Report> {
  const [row] = await readReports(db, projectId, [reportId]);
  if (!row) throw noSuchReport();
  return row;
}

/** Those of the ids that are reports of the project, in the order of the ids. */
export async function readReports(db: Db, projectId: number, ids: number[]): Promise<Report[]> {
  const rows = await select(db, projectId, sql`and r.id = any(${ids}::bigint[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function select(db: Db, projectId: number, which: RawBuilder<unknown>): Promise<Report[]> {
  // Attachments are counted once for all reports: that is cheaper than a look for each.
  const { rows } = await sql<Report>`
    select ${columns} from reports r
    left join (
      select report_id, count(*) from attachments where project_id = ${projectId} group by report_id
    ) a on a.report_id = r.id
    where r.project_id = ${projectId} ${which}
    order by r.rank, r.id`.execute(db);
  return rows;
}

export const noSuchReport = () => notFound("There is no such report.");
