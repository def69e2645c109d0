import type { Issue } from "../../shared/issues.ts";
import type { Known } from "../data/use-known.ts";
import { groupIssues, type Grouping } from "./issue-groups.ts";

/** A line of the list: the head of a group, or an issue. */
export type Entry =
  | { kind: "group"; id: string; name: string; count: number }
  | { kind: "issue"; id: string; issue: Issue };

export function entriesOf(
  issues: readonly Issue[],
  grouping: Grouping | undefined,
  known: Known,
): readonly Entry[] {
  const lines = (of: readonly Issue[]) =>
    of.map((issue): Entry => ({ kind: "issue", id: `issue-${issue.id}`, issue }));
  if (grouping === undefined) return lines(issues);
  return groupIssues(issues, grouping, known).flatMap(({ id, name, issues: of }) => [
    { kind: "group", id: `group-${String(id)}`, name, count: of.length } as const,
    ...lines(of),
  ]);
}

/** Where the keys are: on the issue itself, or where it was when it has gone. Heads of groups are passed over. */
export function activeIndexOf(entries: readonly Entry[], active: { id: number; index: number }): number {
  const found = entries.findIndex((entry) => entry.kind === "issue" && entry.issue.id === active.id);
  if (found !== -1) return found;
  const near = Math.min(active.index, entries.length - 1);
  const behind = stepFrom(entries, near - 1, 1);
  return behind === -1 ? stepFrom(entries, near, -1) : behind;
}

/** The next issue in a direction; -1 when there is none. */
export function stepFrom(entries: readonly Entry[], from: number, direction: 1 | -1): number {
  for (let index = from + direction; index >= 0 && index < entries.length; index += direction)
    if (entries[index]?.kind === "issue") return index;
  return -1;
}

/** The issues between two of the list, both included, in whichever order they were named. */
export function issuesBetween(entries: readonly Entry[], a: number, b: number): Issue[] {
  const issues = entries.flatMap((entry) => (entry.kind === "issue" ? [entry.issue] : []));
  const [from, to] = [a, b]
    .map((id) => issues.findIndex((issue) => issue.id === id))
    .toSorted((x, y) => x - y);
  if (from === undefined || to === undefined || from === -1) return issues.filter(({ id }) => id === b);
  return issues.slice(from, to + 1);
}
