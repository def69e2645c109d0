import { useQueryClient } from "@tanstack/react-query";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { api, messageOf } from "../api/client.ts";
import { MAX_CONCURRENT, retryWhenLimited } from "../api/retry-when-limited.ts";
import { issuesQuery } from "../data/issues.ts";
import { runBounded } from "../api/run-bounded.ts";
import { useUpdateSprint } from "../data/sprints.ts";

/** Where what is unfinished goes: another sprint, none, or nowhere else. */
export type Unfinished = { sprintId: number | null } | "stay";

/**
 * Moves what is unfinished, then closes the sprint. Where an issue could not be moved the sprint stays as it is and the
 * error says so; a second try moves what is left. `onProgress` is told how many of how many were moved.
 */
export function useCloseSprint(projectId: number) {
  const client = useQueryClient();
  const update = useUpdateSprint(projectId);
  return async (
    sprint: Sprint,
    unfinished: Unfinished,
    onProgress: (moved: number, of: number) => void,
  ): Promise<number> => {
    let moved = 0;
    if (unfinished !== "stay") {
      // What came in since the page was opened is moved too.
      const issues = await client.fetchQuery({
        ...issuesQuery(projectId, { sprint_id: String(sprint.id) }),
        staleTime: 0,
      });
      const open = issues.filter(({ closed_at }) => closed_at === null);
      const outcomes = await runBounded(open, MAX_CONCURRENT, async ({ id }) => {
        await retryWhenLimited(() =>
          api.patch<Issue>(`/api/projects/${projectId}/issues/${id}`, { sprint_id: unfinished.sprintId }),
        );
        onProgress(++moved, open.length);
      });
      await client.invalidateQueries({ queryKey: ["issue", projectId] });
      const failed = outcomes.filter((outcome) => "error" in outcome);
      if (failed.length > 0)
        throw new Error(
          `${failed.length} of ${open.length} issues could not be moved: ${messageOf(failed[0]?.error)} The sprint is still active.`,
        );
    }
    await update.mutateAsync({ id: sprint.id, changes: { state: "closed" } });
    return moved;
  };
}
