import type { Issue } from "../../shared/issues.ts";
import type { IssueReferences } from "../data/projects/use-issue-names.ts";
import { compareText } from "../kit/compare-text.ts";

const GROUPINGS = ["lane", "assignee", "priority", "epic", "sprint", "label", "project"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** `id` is the value that the group's issues share; null for none. */
export type IssueGroup = { id: number | null; name: string; issues: Issue[] };

/** The groups that have issues, in order. An issue with several labels is grouped under the first one. */
export function groupIssues(
  issues: readonly Issue[],
  by: Grouping,
  issueNames: IssueReferences,
): IssueGroup[] {
  const groups = new Map<number | null, IssueGroup>();
  for (const { id, name } of groupsOf(by, issueNames)) groups.set(id, { id, name, issues: [] });
  for (const issue of issues) {
    const id = idOf(issue, by, issueNames);
    const group = groups.get(id);
    if (group) group.issues.push(issue);
    // Unknown values, such as a former member, get a group too.
    else groups.set(id, { id, name: "Unknown", issues: [issue] });
  }
  return [...groups.values()].filter((group) => group.issues.length > 0);
}

export function groupsOf(by: Grouping, issueNames: IssueReferences): { id: number | null; name: string }[] {
  switch (by) {
    case "lane":
      return issueNames.lanes.map(({ id, name }) => ({ id, name }));
    case "assignee":
      return [...issueNames.people, { id: null, name: "Nobody" }];
    case "priority":
      return issueNames.priorities.map((name, id) => ({ id, name }));
    case "epic":
      return [
        ...issueNames.epics.map(({ id, title }) => ({ id, name: title })),
        { id: null, name: "No epic" },
      ];
    case "sprint":
      return [...issueNames.sprints.map(({ id, name }) => ({ id, name })), { id: null, name: "No sprint" }];
    case "label":
      return [...issueNames.labels.map(({ id, name }) => ({ id, name })), { id: null, name: "No label" }];
    case "project":
      return issueNames.projects.map(({ id, name }) => ({ id, name }));
  }
}

function idOf(issue: Issue, by: Grouping, issueNames: IssueReferences): number | null {
  switch (by) {
    case "lane":
      return issue.lane_id;
    case "assignee":
      return issue.assignee_id;
    case "priority":
      return issue.priority;
    case "epic":
      return issue.epic_id;
    case "sprint":
      return issue.sprint_id;
    case "label":
      return (
        issueNames.labels.find(({ id }) => issue.label_ids.includes(id))?.id ?? issue.label_ids[0] ?? null
      );
    case "project":
      return issue.project_id;
  }
}

export const SORTS = ["created", "updated", "priority", "due", "title"] as const;
export type Sort = (typeof SORTS)[number];

/** Sorts after every date. */
const LAST = "none";

/** Newest first, recently updated first, most urgent first, due first, or by title; ties are sorted newest first. */
export function sortIssues(issues: readonly Issue[], by: Sort): Issue[] {
  const newest = (a: Issue, b: Issue) => compareText(b.created_at, a.created_at) || b.id - a.id;
  return issues.toSorted((a, b) => {
    if (by === "updated") return compareText(b.updated_at, a.updated_at) || b.id - a.id;
    if (by === "priority") return a.priority - b.priority || newest(a, b);
    if (by === "due") return compareText(a.due_on ?? LAST, b.due_on ?? LAST) || newest(a, b);
    if (by === "title") return a.title.localeCompare(b.title) || newest(a, b);
    return newest(a, b);
  });
}

export const asGrouping = (text: string | undefined): Grouping | undefined =>
  GROUPINGS.find((name) => name === text);
export const asSort = (text: string | undefined): Sort => SORTS.find((name) => name === text) ?? "created";
