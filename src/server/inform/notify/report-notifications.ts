import { sql } from "kysely";
import { REPORT_CREATED } from "../../../shared/notifications.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { notify } from "./notify.ts";
import { excerpt, nameOf, quoted, short } from "./texts.ts";

/**
 * Tells a project's report watchers of a new report, except its creator. By project token it has none, so the token's
 * creator is told like everybody who watches (service.md 6, rule 3; decisions.md 4).
 */
export async function notifyReportCreated(tx: Tx, reportId: number): Promise<void> {
  const report = await tx
    .selectFrom("reports as r")
    .innerJoin("projects as p", "p.id", "r.project_id")
    .select(["r.title", "r.description", "r.author_name", "r.created_by"])
    .select(["p.id", "p.workspace_id", "p.key", "p.name"])
    .where("r.id", "=", reportId)
    .executeTakeFirstOrThrow();
  const who = report.author_name ?? (await nameOf(tx, report.created_by));
  const what = `${quoted(report.title)} in ${short(report.name)}`;
  await notify(tx, {
    about: { workspace_id: report.workspace_id, project_id: report.id },
    actorId: report.created_by,
    to: sql`select user_id, 1 from report_watchers where project_id = ${report.id}`,
    among: usersReading(report, "report"),
    notices: [
      {
        type: REPORT_CREATED,
        message: who === null ? `New report ${what}` : `${who} reported ${what}`,
        preference: "notify_report_activity_email",
        lines: [excerpt(report.description)],
        button: { label: "Open the report", path: `/projects/${report.key}/reports/${reportId}` },
      },
    ],
  });
}
