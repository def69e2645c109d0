import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { noSuchReport } from "../read-report.ts";
import { forgetSubscribers } from "../subscriptions/forget-subscribers.ts";

/**
 * Erases the name and the address of a report's author, also from their messages, and all subscriptions of the report. 404 if the
 * project has no such report.
 */
export async function eraseAuthor(db: Db, projectId: number, reportId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const report = await tx
      .selectFrom("reports")
      .select("id")
      .where("project_id", "=", projectId)
      .where("id", "=", reportId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!report) throw noSuchReport();
    // Before the address is erased, which it needs.
    await forgetSubscribers(tx, reportId);
    await tx
      .updateTable("reports")
      .set({
        author_name: null,
        author_email: null,
        author_email_confirmed: false,
        updated_at: sql`clock_timestamp()`,
      })
      .where("id", "=", reportId)
      .execute();
    // Their messages stay, without a name.
    await tx
      .updateTable("comments")
      .set({ author_name: null })
      .where("report_id", "=", reportId)
      .where("user_id", "is", null)
      .execute();
  });
}
