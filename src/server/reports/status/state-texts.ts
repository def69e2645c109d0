import type { ReportState } from "../../../shared/report-status.ts";

/** What people outside read about a state. */
export const STATE_TEXTS: Record<ReportState, { name: string; text: string }> = {
  received: { name: "Received", text: "Thank you. The team has your report and will look at it." },
  planned: { name: "Planned", text: "The team has decided to work on this." },
  in_progress: { name: "In progress", text: "The team is working on this." },
  done: { name: "Done", text: "This is done. Thank you for telling us." },
  not_planned: { name: "Not planned", text: "The team is not going to work on this." },
};
