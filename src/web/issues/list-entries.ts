import type { Issue } from "../../shared/issues.ts";
import type { IssueReferences } from "../data/projects/use-issue-names.ts";
import { groupIssues, type Grouping } from "./issue-groups.ts";

/** A line of the list: the heading of a group, or an issue. */
export type ListEntry =
  | { kind: "group"; key: string; name: string; count: number }
  | { kind: "issue"; key: number; issue: Issue };

export function entriesOf(
  issues: readonly Issue[],
  grouping: Grouping | undefined,
  issueNames: IssueReferences,
): readonly ListEntry[] {
  const lines = (of: readonly Issue[]) =>
    of.map((issue): ListEntry => ({ kind: "issue", key: issue.id, issue }));
  if (grouping === undefined) return lines(issues);
  return groupIssues(issues, grouping, issueNames).flatMap(({ id, name, issues: of }) => [
    { kind: "group", key: `group-${String(id)}`, name, count: of.length } as const,
    ...lines(of),
  ]);
}
