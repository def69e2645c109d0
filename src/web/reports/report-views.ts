import type { ReportKind } from "../../shared/feedback.ts";
import type { Report, ReportView } from "../../shared/reports.ts";

/** The part of the triage page's address that says what is listed. */
export type TriageSearch = { view?: string; query?: string; kind?: string; sort?: string };

export const VIEWS: readonly ReportView[] = ["active", "promoted", "dismissed"];

export const VIEW_LABELS: Record<ReportView, string> = {
  active: "Active",
  promoted: "Promoted",
  dismissed: "Dismissed",
};

/** The tab that lists a report. Older reports may be both promoted and dismissed, and count as promoted. */
export function viewOf({ promoted_at, dismissed_at }: Report): ReportView {
  if (promoted_at !== null) return "promoted";
  return dismissed_at === null ? "active" : "dismissed";
}

export const isActive = (report: Report) => viewOf(report) === "active";

/** The view named in the address; active by default. */
export const viewNamed = (text: string | undefined): ReportView =>
  VIEWS.find((view) => view === text) ?? "active";

/** The kind named in the address; all kinds by default. */
export const kindNamed = (text: string | undefined): ReportKind | undefined =>
  KINDS.find((kind) => kind === text);

/** Whether the address asks for the most voices first; by default the order of the queue, or the latest decision first. */
export const isByVoices = (text: string | undefined): boolean => text === "voices";

/** Most voices first. Reports with as many keep their order. */
export const byVoices = (a: Report, b: Report): number => b.voices - a.voices;

const KINDS: readonly ReportKind[] = ["bug", "idea", "question"];

export function countViews(reports: readonly Report[]): Record<ReportView, number> {
  const counts = { active: 0, promoted: 0, dismissed: 0 };
  for (const report of reports) counts[viewOf(report)]++;
  return counts;
}

/** The reports with every word in title, description or author. `#12` matches the report number. */
export function searchReports(
  reports: readonly Report[],
  query: string,
  authorOf: (report: Report) => string,
): Report[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...reports];
  return reports.filter((report) => {
    const text = `#${report.id} \n${report.title}\n${report.description}\n${authorOf(report)}`.toLowerCase();
    return words.every((word) => text.includes(/^#\d+$/.test(word) ? `${word} ` : word));
  });
}
