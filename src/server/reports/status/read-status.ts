import { sql } from "kysely";
import type { ReporterMessage, ReportStatus } from "../../../shared/report-status.ts";
import type { AttachmentOwner } from "../../attachments/insert-attachments.ts";
import type { Db } from "../../db/connect.ts";
import { readReportStates } from "./report-state.ts";
import type { OutsideReport } from "./report-token.ts";

/** What the author of the report sees: nothing that the team has not published. */
export async function readStatus(db: Db, token: string, report: OutsideReport): Promise<ReportStatus> {
  const { title, description, created_at, project } = report;
  const progress = (await readReportStates(db, [report.id])).get(report.id);
  const images = await imageIds(db, report);
  return {
    title,
    description,
    created_at,
    project: { name: project.name },
    state: progress?.state ?? "received",
    release: progress?.release ?? null,
    reason: progress?.reason ?? null,
    images: images.map((_id, index) => ({ url: `/api/r/${token}/images/${index + 1}` })),
    messages: await readMessages(db, report.id),
  };
}

/** The attachments that the author sent. */
export const sentImages = ({ id, project }: OutsideReport): AttachmentOwner => ({
  project_id: project.id,
  report_id: id,
  sent_with_report: true,
});

/** The images that were sent with the report, in the order of their numbers, which begin with 1. */
export async function imageIds(db: Db, report: OutsideReport): Promise<number[]> {
  const rows = await db
    .selectFrom("attachments")
    .select("id")
    .where((where) => where.and(sentImages(report)))
    .where("comment_id", "is", null)
    .where("mime_type", "like", "image/%")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

async function readMessages(db: Db, reportId: number): Promise<ReporterMessage[]> {
  const { rows } = await sql<ReporterMessage>`
    select c.id, case when c.user_id is null then 'reporter' else 'team' end as "from",
      coalesce(u.first_name, c.author_name) as name, c.content, c.created_at
    from comments c left join users u on u.id = c.user_id
    where c.report_id = ${reportId} and c.is_public
    order by c.id`.execute(db);
  return rows;
}
