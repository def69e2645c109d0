import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { useSimilar } from "../data/similar.ts";

/**
 * The reports and issues that resemble the first of some reports, and that all of them can be duplicates of: not the reports
 * themselves, and not their own duplicates.
 */
export function useOriginals(project: Project, reports: readonly Report[]) {
  const [first] = reports;
  const { items, isLoading } = useSimilar(
    project,
    { title: first?.title ?? "", description: first?.description ?? "" },
    first?.id,
  );
  const excluded = new Set(reports.flatMap(({ id, duplicate_report_ids }) => [id, ...duplicate_report_ids]));
  return {
    items: items.filter(({ kind, id }) => kind === "issue" || (kind === "report" && !excluded.has(id))),
    isLoading,
  };
}
