import type { DismissReason, Report } from "../../../shared/reports.ts";
import { store } from "../../state/store.ts";

export type Dismissal = {
  category: DismissReason;
  note: string | undefined;
  duplicateOf?: { report_id: number } | { issue_id: number } | undefined;
};

type PendingDismissals = ReadonlyMap<number, Dismissal & { at: string }>;

/** Dismissals that can still be undone, by report id. The report is shown as dismissed, whatever is fetched meanwhile. */
export const pendingDismissals = store<PendingDismissals>(new Map());

export function hold(reportIds: readonly number[], dismissal: Dismissal): void {
  const next = new Map(pendingDismissals.get());
  const pending = { ...dismissal, at: new Date().toISOString() };
  for (const id of reportIds) next.set(id, pending);
  pendingDismissals.set(next);
}

export function release(reportIds: readonly number[]): void {
  const next = new Map(pendingDismissals.get());
  for (const id of reportIds) next.delete(id);
  pendingDismissals.set(next);
}

/** Waits until nothing is pending, or the timeout has passed. Returns how many dismissals are still pending. */
export async function waitForDismissals(timeoutMs: number): Promise<number> {
  let stop = () => {};
  const none = new Promise<void>((resolve) => {
    stop = pendingDismissals.subscribe(() => pendingDismissals.get().size === 0 && resolve());
    if (pendingDismissals.get().size === 0) resolve();
  });
  await Promise.race([none, new Promise((resolve) => void setTimeout(resolve, timeoutMs))]);
  stop();
  return pendingDismissals.get().size;
}

/** The report as it will be after the dismissal, unless someone else has promoted or dismissed it meanwhile. */
export function withDismissal(report: Report, dismissals: PendingDismissals): Report {
  const dismissal = dismissals.get(report.id);
  if (dismissal === undefined || report.promoted_at !== null || report.dismissed_at !== null) return report;
  return {
    ...report,
    dismissed_at: dismissal.at,
    dismiss_reason: dismissal.category,
    dismiss_reason_note: dismissal.note ?? null,
    duplicate_of: dismissal.duplicateOf
      ? { report_id: null, issue_id: null, ...dismissal.duplicateOf }
      : null,
  };
}
