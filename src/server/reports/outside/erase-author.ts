import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { noSuchReport } from "../read-report.ts";
import { forgetSubscribers } from "../subscriptions/forget-subscribers.ts";

/** Erases the name and the address of a report's author, and the subscriptions of the report. 404 if the project has no such report. */
export async function eraseAuthor(db: Db, projectId: number, reportId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Rolled back if the report is not one of the project.
    await forgetSubscribers(tx, reportId);
    const erased = await tx
      .updateTable("reports")
      .set({
        author_name: null,
        author_email: null,
        author_email_confirmed: false,
        updated_at: sql`clock_timestamp()`,
      })
      .where("project_id", "=", projectId)
      .where("id", "=", reportId)
      .returning("id")
      .executeTakeFirst();
    if (!erased) throw noSuchReport();
  });
}
