import { sql } from "kysely";
import { API } from "../../shared/reports.ts";
import { refused } from "../answers/errors.ts";
import type { Db, Tx } from "../db/connect.ts";
import { recordReportHistory } from "../record/report-history.ts";
import { noSuchReport } from "./read-report.ts";
import { readStatusUrl } from "./status/report-token.ts";

export type LinkChange = { projectId: number; reportId: number; actorId: number };

/**
 * Replaces the report's status link, which ends the earlier one, and returns the address of the new one. 404 if the project has no
 * such report, 422 if its author has an account.
 */
export async function renewStatusLink(db: Db, publicUrl: string, change: LinkChange): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const { reportId } = change;
    const before = await lockReport(tx, change);
    if (before.source !== API) throw refused("Only reports from outside the team have a status link.");
    await sql`
      update reports set link_generation = link_generation + 1, link_revoked_at = null where id = ${reportId}`.execute(
      tx,
    );
    // Revoking it was recorded, too.
    if (before.link_revoked_at === null) await recordRevocation(tx, change);
    return readStatusUrl(tx, publicUrl, reportId);
  });
}

/** Ends the report's status link. Has no effect if there is none. 404 if the project has no such report. */
export async function revokeStatusLink(db: Db, change: LinkChange): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { source, link_revoked_at } = await lockReport(tx, change);
    if (source !== API || link_revoked_at !== null) return;
    await sql`update reports set link_revoked_at = clock_timestamp() where id = ${change.reportId}`.execute(
      tx,
    );
    await recordRevocation(tx, change);
  });
}

type Lockable = { source: number; link_revoked_at: string | null };

async function lockReport(tx: Tx, { projectId, reportId }: LinkChange): Promise<Lockable> {
  const report = await tx
    .selectFrom("reports")
    .select(["source", "link_revoked_at"])
    .where("project_id", "=", projectId)
    .where("id", "=", reportId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!report) throw noSuchReport();
  return report;
}

const recordRevocation = (tx: Tx, { projectId, reportId, actorId }: LinkChange) =>
  recordReportHistory(tx, projectId, actorId, [{ report_id: reportId, kind: "link_revoked" }]);
