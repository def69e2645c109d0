import { sql } from "kysely";
import type { ReportActivityKind } from "../../shared/report-activity.ts";
import type { Tx } from "../db/connect.ts";

type ReportHistoryEntry = {
  report_id: number;
  kind: ReportActivityKind;
  from?: unknown;
  to?: unknown;
};

/** Adds entries to the activity of reports, in the transaction of the change. The actor is null if the sender has no account. */
export async function recordReportHistory(
  tx: Tx,
  projectId: number,
  actorId: number | null,
  entries: ReportHistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await sql`
    insert into report_activity (project_id, report_id, actor_id, kind, "from", "to")
    select ${projectId}::bigint, report_id, ${actorId}::bigint, kind, nullif("from", 'null'), nullif("to", 'null')
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (report_id bigint, kind text, "from" jsonb, "to" jsonb)
    order by report_id`.execute(tx);
}
