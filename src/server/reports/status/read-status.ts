import { sql } from "kysely";
import type { ReporterMessage, ReportStatus } from "../../../shared/report-status.ts";
import type { Db } from "../../db/connect.ts";
import { publicAddress, publishAddresses, readPublicFiles } from "./public-files.ts";
import { readReportStates } from "./report-state.ts";
import type { OutsideReport } from "./report-token.ts";

/** What the author of the report sees: nothing that the team has not published. */
export async function readStatus(db: Db, token: string, report: OutsideReport): Promise<ReportStatus> {
  const { title, description, created_at, project } = report;
  const progress = (await readReportStates(db, [report.id])).get(report.id);
  const files = await readPublicFiles(db, report);
  const messages = await readMessages(db, report.id);
  return {
    title,
    description,
    created_at,
    project: { name: project.name },
    state: progress?.state ?? "received",
    release: progress?.release ?? null,
    reason: progress?.reason ?? null,
    images: files
      .filter(({ comment_id }) => comment_id === null)
      .map((file) => ({ url: publicAddress(token, file) })),
    messages: messages.map((message) =>
      message.from === "team"
        ? { ...message, content: publishAddresses(message.content, { report, statusToken: token, files }) }
        : message,
    ),
  };
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
