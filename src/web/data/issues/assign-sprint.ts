import type { QueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { api } from "../../api/client.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";

/** The server accepts at most this many issues at once. */
const MAX_ISSUES_PER_REQUEST = 500;

/**
 * Moves issues of a project to a sprint, or out of theirs, optimistically and with one request for 500 issues. If a
 * request fails, its issues go back to where they were.
 */
export async function assignSprint(
  client: QueryClient,
  projectId: number,
  issues: readonly Issue[],
  sprintId: number | null,
): Promise<void> {
  const ids = issues.map(({ id }) => id);
  const undo = patchEverywhere(client, "issue", new Set(ids), { sprint_id: sprintId });
  try {
    while (ids.length > 0) {
      const body = { issue_ids: ids.slice(0, MAX_ISSUES_PER_REQUEST), sprint_id: sprintId };
      const { data } = await api.post<{ data: Issue[] }>(
        `/api/projects/${projectId}/issues/assign-sprint`,
        body,
      );
      const after = new Map(data.map((issue) => [issue.id, issue]));
      patchEverywhere(client, "issue", new Set(after.keys()), (issue) => after.get(issue.id) ?? issue);
      ids.splice(0, MAX_ISSUES_PER_REQUEST);
    }
  } finally {
    if (ids.length > 0) undo(new Set(ids));
    // Lists that are not on screen are reloaded when they are opened.
    void client.invalidateQueries({
      queryKey: ["issue", projectId],
      refetchType: ids.length > 0 ? "active" : "none",
    });
  }
}
