import { sql } from "kysely";
import { OWN_REPORT_DONE, REPORT_CREATED } from "../../../shared/notifications.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { notify } from "./notify.ts";
import { excerptOf, nameOf, quoteTitle, shorten } from "./message-parts.ts";

/**
 * Notifies the project's report watchers, except the report's creator. A report created with a project token has no
 * creator, so the token's creator is notified if they watch the reports.
 */
export async function notifyReportCreated(tx: Tx, reportId: number): Promise<void> {
  const report = await tx
    .selectFrom("reports as r")
    .innerJoin("projects as p", "p.id", "r.project_id")
    .select(["r.title", "r.description", "r.author_name", "r.created_by"])
    .select(["p.id", "p.workspace_id", "p.key", "p.name"])
    .where("r.id", "=", reportId)
    .executeTakeFirstOrThrow();
  const author = report.author_name ?? (await nameOf(tx, report.created_by));
  const description = `${quoteTitle(report.title)} in ${shorten(report.name)}`;
  await notify(tx, {
    subject: { workspace_id: report.workspace_id, project_id: report.id, report_id: reportId },
    actorId: report.created_by,
    recipients: sql`select user_id, 1 from report_watchers where project_id = ${report.id}`,
    allowed: usersReading(report, "report"),
    notices: [
      {
        type: REPORT_CREATED,
        message: author === null ? `New report ${description}` : `${author} reported ${description}`,
        preference: "notify_report_activity_email",
        ...(await excerptOf(report.description)),
        button: { label: "Open the report", path: `/projects/${report.key}/reports/${reportId}` },
      },
    ],
  });
}

type DoneReport = {
  id: number;
  title: string;
  created_by: number;
  /** The first release with the change; null in a project without releases. */
  release: string | null;
  project_id: number;
  workspace_id: number;
  /** The project's key. */
  key: string;
};

/** Notifies the creator of the report that it is done, if they may read it. */
export async function notifyReportDone(tx: Tx, report: DoneReport): Promise<void> {
  const { id, title, created_by, release, project_id, workspace_id, key } = report;
  await notify(tx, {
    subject: { workspace_id, project_id, report_id: id, thing: { title, text: null } },
    actorId: null,
    recipients: sql`select ${created_by}::bigint, 1`,
    allowed: usersReading({ id: project_id, workspace_id }, "report"),
    notices: [
      {
        type: OWN_REPORT_DONE,
        message: `Your report ${quoteTitle(title)} is done${release === null ? "" : `, released in ${shorten(release)}`}`,
        preference: "notify_watched_activity_email",
        button: { label: "Open the report", path: `/projects/${key}/reports/${id}` },
      },
    ],
  });
}
