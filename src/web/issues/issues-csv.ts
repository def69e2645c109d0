import type { Issue } from "../../shared/issues.ts";
import { csvOf } from "../data/csv.ts";
import { type IssueView, valuesOf } from "./issue-filters.ts";

/** A list names at most this many ids at once. */
const MAX_IDS = 200;

/**
 * The address of a CSV file with the issues that the page shows. The server filters them by one value each; with other filters,
 * their ids select them. Undefined if these are too many.
 */
export function issuesCsv(
  projectId: number,
  view: IssueView,
  shown: readonly Issue[] | undefined,
): string | undefined {
  const filters = filtersOf(view);
  if (filters) return csvOf(projectId, "issues", filters);
  if (shown === undefined || shown.length === 0 || shown.length > MAX_IDS) return undefined;
  return csvOf(projectId, "issues", { ids: shown.map(({ id }) => id).join() });
}

const FIELDS = {
  assignee: "assignee_id",
  label: "label_id",
  epic: "epic_id",
  sprint: "sprint_id",
  type: "type",
  priority: "priority",
  lane: "lane_id",
  parent: "parent_id",
} as const;

function filtersOf(view: IssueView): Record<string, string> | undefined {
  if (view.query || view.due || view.label === "none") return undefined;
  const filters: Record<string, string> =
    view.state === "all" ? {} : { closed: String(view.state === "closed") };
  for (const [name, field] of Object.entries(FIELDS)) {
    const [value, ...others] = valuesOf(view[name as keyof typeof FIELDS]);
    if (others.length > 0) return undefined;
    if (value !== undefined) filters[field] = value;
  }
  return filters;
}
