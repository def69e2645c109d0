import { useQueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import type { Sprint } from "../../../shared/sprints.ts";
import { api, messageOf } from "../../api/client.ts";
import { MAX_CONCURRENT } from "../../api/rate-limit.ts";
import { retryWhenLimited } from "../../api/retry-when-limited.ts";
import { issuesQuery } from "./issues.ts";
import { runBounded } from "../../api/run-bounded.ts";
import { useUpdateSprint } from "../projects/sprints.ts";

/** What happens to unfinished issues: they move to another sprint or to none, or stay. */
export type Unfinished = { sprintId: number | null } | "stay";

/**
 * Moves unfinished issues, then closes the sprint. If an issue cannot be moved, the sprint stays active and the error
 * says so; another attempt moves the rest. Returns how many issues were moved.
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
      // Include issues that were added since the page was opened.
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
