import { sql } from "kysely";
import type { ReportActivityKind } from "../../shared/report-activity.ts";
import type { WebhookEventName } from "../../shared/webhooks.ts";
import type { Tx } from "../db/connect.ts";
import { noteChange } from "./changed-objects.ts";

type ReportHistoryEntry = {
  report_id: number;
  kind: ReportActivityKind;
  from?: unknown;
  to?: unknown;
};

/** What webhooks are told. A report whose promotion is taken back is in the queue again. */
const EVENTS: Partial<Record<ReportActivityKind, WebhookEventName>> = {
  created: "report.created",
  promoted: "report.promoted",
  dismissed: "report.dismissed",
  restored: "report.restored",
  unpromoted: "report.restored",
};

/** Adds entries to the activity of reports, in the transaction of the change. The actor is null if the sender has no account. */
export async function recordReportHistory(
  tx: Tx,
  projectId: number,
  actorId: number | null,
  entries: ReportHistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  for (const { report_id: id, kind } of entries) {
    const type = EVENTS[kind];
    if (type) noteChange(tx, { type, kind: "report", id });
  }
  await sql`
    insert into report_activity (project_id, report_id, actor_id, kind, "from", "to")
    select ${projectId}::bigint, report_id, ${actorId}::bigint, kind, nullif("from", 'null'), nullif("to", 'null')
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (report_id bigint, kind text, "from" jsonb, "to" jsonb)
    order by report_id`.execute(tx);
}
