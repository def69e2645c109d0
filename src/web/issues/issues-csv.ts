import type { Issue } from "../../shared/issues.ts";
import { csvOf } from "../data/csv.ts";
import { MAX_ISSUES } from "../data/issues/issues.ts";
import type { Csv } from "../views/views-menu.tsx";
import { type IssueView, textOf, valuesOf } from "./issue-filters.ts";
import { saveIssues } from "./save-issues.ts";

/**
 * The CSV file of what the page shows. The server filters the issues, except by due date and text, which only the page does: then
 * the file is made of the issues that are shown, `shown` of the `loaded` ones.
 */
export function issuesCsv(
  projectId: number,
  view: IssueView,
  { shown, loaded }: { shown: readonly Issue[]; loaded: readonly Issue[] | undefined },
): Csv {
  if (!view.query && !view.due) return { href: csvOf(projectId, "issues", filtersOf(view)) };
  if (loaded === undefined || shown.length === 0) return { hint: "No issues match these filters" };
  if (loaded.length >= MAX_ISSUES)
    return { hint: "Remove the filters by text and due date. This page has only the newest 2,000 issues." };
  return { save: () => saveIssues(shown) };
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

function filtersOf(view: IssueView): Record<string, string | undefined> {
  const state = view.state === "all" ? undefined : String(view.state === "closed");
  const fields = Object.entries(FIELDS).map(([name, field]) => [
    field,
    textOf(valuesOf(view[name as keyof typeof FIELDS])),
  ]);
  return { closed: state, ...Object.fromEntries(fields) };
}
