import type { QueryClient } from "@tanstack/react-query";
import type { Issue } from "../../shared/issues.ts";
import { api, ApiError } from "../api/client.ts";
import { patient, WIDTH } from "../api/patient.ts";
import { profileQuery } from "./session.ts";
import { dropIssue, listsOf, putIssue } from "./put-issue.ts";
import { runBounded } from "../api/run-bounded.ts";

/** One or two by themselves, whatever is shown. */
const FEW = 2;
const PAGE = 200;

/**
 * Brings issues that have changed up to date, by the fewer requests: each by itself, or all lists that are shown. Returns
 * how many requests that takes.
 */
export function readIssues(client: QueryClient, projectId: number, ids: number[]): number {
  const pages = listsOf(client, projectId)
    .filter((query) => query.isActive())
    .reduce((sum, { state }) => sum + pagesOf(state.data as Issue[] | undefined), 0);
  if (ids.length > Math.max(FEW, pages)) {
    void client.invalidateQueries({ predicate: ({ queryKey }) => isOf(projectId, queryKey) });
    return pages;
  }
  void readEach(client, projectId, ids);
  return ids.length;
}

const pagesOf = (list: Issue[] | undefined) => Math.max(1, Math.ceil((list?.length ?? 0) / PAGE));

const isOf = (projectId: number, [kind, project]: readonly unknown[]) =>
  kind === "issue" && (project === projectId || project === null);

async function readEach(client: QueryClient, projectId: number, ids: number[]): Promise<void> {
  // A list that is on its way may have been read before the change, and must not arrive after it.
  await Promise.allSettled(
    listsOf(client, projectId)
      .filter(({ state }) => state.fetchStatus === "fetching")
      .map(async ({ promise }) => promise),
  );
  await runBounded(ids, WIDTH, (id) => readOne(client, projectId, id));
  // They are right as they stand; whoever opens one later has it anew all the same.
  void client.invalidateQueries({
    predicate: ({ queryKey }) => isOf(projectId, queryKey) && queryKey[2] === "list",
    refetchType: "none",
  });
  void client.invalidateQueries({
    predicate: ({ queryKey }) =>
      isOf(projectId, queryKey) &&
      (isCount(queryKey) || (queryKey[2] === "activity" && ids.includes(Number(queryKey[3])))),
  });
}

const isCount = ([, , what]: readonly unknown[]) => what === "lane-count" || what === "find";

async function readOne(client: QueryClient, projectId: number, id: number): Promise<void> {
  try {
    const issue = await patient(() => api.get<Issue>(`/api/projects/${projectId}/issues/${id}`));
    if (!isOutdated(client, issue)) putIssue(client, issue, client.getQueryData(profileQuery.queryKey)?.id);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 403)) throw error;
    dropIssue(client, projectId, id);
  }
}

/** What one has just done oneself is shown until its own answer comes, and that answer until a newer one. */
function isOutdated(client: QueryClient, { id, project_id, updated_at }: Issue): boolean {
  const mine = client.isMutating({
    mutationKey: ["issue", project_id],
    predicate: ({ state }) => (state.variables as { id?: number } | undefined)?.id === id,
  });
  if (mine > 0) return true;
  return listsOf(client, project_id).some(({ state }) =>
    (state.data as Issue[] | undefined)?.some((issue) => issue.id === id && issue.updated_at > updated_at),
  );
}
