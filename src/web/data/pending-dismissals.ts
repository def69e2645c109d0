import type { DismissReason, Report } from "../../shared/reports.ts";

export type Dismissal = { category: DismissReason; note: string | undefined };

/** Dismissals that can still be undone: shown as if they had happened, whatever is loaded meanwhile. */
let pending: ReadonlyMap<number, Dismissal & { at: string }> = new Map();
const listeners = new Set<() => void>();

function set(next: ReadonlyMap<number, Dismissal & { at: string }>) {
  pending = next;
  for (const listener of listeners) listener();
}

export function hold(reportId: number, dismissal: Dismissal): void {
  set(new Map(pending).set(reportId, { ...dismissal, at: new Date().toISOString() }));
}

export function release(reportId: number): void {
  const next = new Map(pending);
  next.delete(reportId);
  set(next);
}

export const pendingDismissals = () => pending;

export function subscribeDismissals(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The report as it will be. What somebody else has dealt with meanwhile is as they left it. */
export function withDismissal(report: Report, dismissals: typeof pending): Report {
  const dismissal = dismissals.get(report.id);
  if (dismissal === undefined || report.promoted_at !== null || report.dismissed_at !== null) return report;
  return {
    ...report,
    dismissed_at: dismissal.at,
    dismiss_reason: dismissal.category,
    dismiss_reason_note: dismissal.note ?? null,
  };
}
