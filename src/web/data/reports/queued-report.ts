import type { Report } from "../../../shared/reports.ts";
import type { QueuedFields } from "../offline/queued-changes.ts";

/** What a report shows while its dismissal or return to the queue waits for the connection. The server detects conflicts. */
export function shownReport(before: Report, after: Report): QueuedFields {
  const { id, project_id } = before;
  return {
    kind: "report",
    items: [{ id, project_id, before: dismissalOf(before), after: dismissalOf(after) }],
    compared: [],
  };
}

const dismissalOf = ({ dismissed_at, dismiss_reason, dismiss_reason_note, duplicate_of }: Report) => ({
  dismissed_at,
  dismiss_reason,
  dismiss_reason_note,
  duplicate_of,
});
