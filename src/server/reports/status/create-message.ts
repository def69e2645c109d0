import type { ReporterMessage } from "../../../shared/report-status.ts";
import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { notifyReporterMessage } from "../../inform/notify/comment-notifications.ts";
import { noteChange } from "../../record/changed-objects.ts";
import { announce } from "../../record/live-changes.ts";
import type { OutsideReport } from "./report-token.ts";

/**
 * Adds what the author of a report writes to the team: a public comment without a user. It mentions nobody. 404 if the report has
 * been deleted.
 */
export async function createMessage(
  db: Db,
  { id: reportId, project, author_name }: OutsideReport,
  content: string,
): Promise<ReporterMessage> {
  return db.transaction().execute(async (tx) => {
    const report = await tx
      .selectFrom("reports")
      .select("id")
      .where("id", "=", reportId)
      .forKeyShare()
      .executeTakeFirst();
    if (!report) throw notFound();
    const { id, created_at } = await tx
      .insertInto("comments")
      .values({ project_id: project.id, report_id: reportId, content, author_name, is_public: true })
      .returning(["id", "created_at"])
      .executeTakeFirstOrThrow();
    await notifyReporterMessage(tx, { project, reportId, comment: { id, content }, author_name });
    await announce(tx, [
      { kind: "comment", project_id: project.id, id, commentable: { type: "reports", id: reportId } },
    ]);
    noteChange(tx, { type: "comment.created", kind: "comment", id });
    noteChange(tx, { type: "report.replied", kind: "report", id: reportId });
    return { id, from: "reporter", name: author_name, content, created_at };
  });
}
