import type { QueryClient } from "@tanstack/react-query";
import type { Issue } from "../../shared/issues.ts";
import { api, ApiError } from "../api/client.ts";
import { MAX_CONCURRENT } from "../api/retry-when-limited.ts";
import { runBounded } from "../api/run-bounded.ts";
import { dropIssue, listsOf, putIssue } from "./put-issue.ts";
import { profileQuery } from "./session.ts";

/** Up to this many issues are always read one by one. */
const FEW = 2;
const PAGE_SIZE = 200;

/**
 * Brings changed issues up to date in the cache with the fewest requests: reads each issue, or refetches every list on
 * screen. Returns how many requests that takes.
 */
export function readIssues(client: QueryClient, projectId: number, ids: number[]): number {
  const pages = listsOf(client, projectId)
    .filter((query) => query.isActive())
    .reduce((sum, { state }) => sum + pageCount(state.data as Issue[] | undefined), 0);
  if (ids.length > Math.max(FEW, pages)) {
    void client.invalidateQueries({ predicate: ({ queryKey }) => isOf(projectId, queryKey) });
    return pages;
  }
  void readEach(client, projectId, ids);
  return ids.length;
}

const pageCount = (list: Issue[] | undefined) => Math.max(1, Math.ceil((list?.length ?? 0) / PAGE_SIZE));

const isOf = (projectId: number, [kind, project]: readonly unknown[]) =>
  kind === "issue" && (project === projectId || project === null);

async function readEach(client: QueryClient, projectId: number, ids: number[]): Promise<void> {
  // A list in flight may have been read before the change. It must not arrive later and overwrite the new issue.
  await Promise.allSettled(
    listsOf(client, projectId)
      .filter(({ state }) => state.fetchStatus === "fetching")
      .map(async ({ promise }) => promise),
  );
  await runBounded(ids, MAX_CONCURRENT, (id) => readOne(client, projectId, id));
  // The cached lists are now correct; mark them stale so that the next mount refetches.
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
    const issue = await api.get<Issue>(`/api/projects/${projectId}/issues/${id}`);
    if (!isOutdated(client, issue)) putIssue(client, issue, client.getQueryData(profileQuery.queryKey)?.id);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 403)) throw error;
    dropIssue(client, projectId, id);
  }
}

/**
 * Whether the cache knows better: this page is changing the issue and the response is still to come, or a list has a
 * newer version.
 */
function isOutdated(client: QueryClient, { id, project_id, updated_at }: Issue): boolean {
  const changing = client.isMutating({
    mutationKey: ["issue", project_id],
    predicate: ({ state }) => (state.variables as { id?: number } | undefined)?.id === id,
  });
  if (changing > 0) return true;
  return listsOf(client, project_id).some(({ state }) =>
    (state.data as Issue[] | undefined)?.some((issue) => issue.id === id && issue.updated_at > updated_at),
  );
}
