import type { Issue } from "../../shared/issues.ts";

/** Whether a known open issue blocks it. Closed, deleted and unreadable issues do not block. */
export function isBlocked(issue: Issue, byId: ReadonlyMap<number, Issue>): boolean {
  if (issue.closed_at !== null) return false;
  return issue.blocked_by_ids.some((id) => byId.get(id)?.closed_at === null);
}

/** The projects of issues that have a blocker that is not in `byId`. */
export function projectsOfUnknownBlockers(byId: ReadonlyMap<number, Issue>): number[] {
  const waiting = [...byId.values()].filter(
    ({ closed_at, blocked_by_ids }) => closed_at === null && blocked_by_ids.some((id) => !byId.has(id)),
  );
  return [...new Set(waiting.map(({ project_id }) => project_id))];
}

export const byIdOf = (issues: readonly Issue[]): ReadonlyMap<number, Issue> =>
  new Map(issues.map((issue) => [issue.id, issue]));
