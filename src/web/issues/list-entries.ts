import type { Issue } from "../../shared/issues.ts";
import type { Known } from "../data/projects/use-known.ts";
import { groupIssues, type Grouping } from "./issue-groups.ts";

/** A line of the list: the heading of a group, or an issue. */
export type Entry =
  | { kind: "group"; key: string; name: string; count: number }
  | { kind: "issue"; key: number; issue: Issue };

export function entriesOf(
  issues: readonly Issue[],
  grouping: Grouping | undefined,
  known: Known,
): readonly Entry[] {
  const lines = (of: readonly Issue[]) => of.map((issue): Entry => ({ kind: "issue", key: issue.id, issue }));
  if (grouping === undefined) return lines(issues);
  return groupIssues(issues, grouping, known).flatMap(({ id, name, issues: of }) => [
    { kind: "group", key: `group-${String(id)}`, name, count: of.length } as const,
    ...lines(of),
  ]);
}
