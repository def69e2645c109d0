import type { QueryClient } from "@tanstack/react-query";
import { hasRequested } from "../api/client.ts";
import { projectsQuery } from "../data/projects.ts";

type Params = Partial<Record<string, string>>;
type Of = { context: { queryClient: QueryClient }; params: Params };

/**
 * Loaders for the routes of pages whose data the HTML has requested. The first page is rendered once, with its code and
 * data, instead of without data before. Any other page immediately shows what is cached.
 */
export const issue = reading(async (client, projectId, { issueKey = "" }) => {
  const { issueQuery } = await import("../data/issues.ts");
  await client.prefetchQuery(issueQuery(projectId, issueKey));
});

export const issues = reading(async (client, projectId) => {
  const { allIssuesQuery } = await import("../data/issues.ts");
  await client.prefetchQuery(allIssuesQuery(projectId));
});

export const errors = reading(async (client, projectId) => {
  const { errorGroupsQuery } = await import("../data/error-groups.ts");
  await client.prefetchInfiniteQuery(errorGroupsQuery(projectId));
});

export const error = reading(async (client, projectId, { errorGroupId }) => {
  const { errorGroupQuery } = await import("../data/error-groups.ts");
  await client.prefetchQuery(errorGroupQuery(projectId, Number(errorGroupId)));
});

export const reports = reading(async (client, projectId) => {
  const { reportsQuery } = await import("../data/reports.ts");
  await client.prefetchQuery(reportsQuery(projectId));
});

export const report = reading(async (client, projectId, { reportId = "" }) => {
  const { reportQuery } = await import("../data/reports.ts");
  await client.prefetchQuery(reportQuery(projectId, reportId));
});

/** How long the first page waits for its data, in milliseconds. */
const PATIENCE_MS = 1_000;

function reading(read: (client: QueryClient, projectId: number, params: Params) => Promise<void>) {
  const loader = async ({ context: { queryClient }, params }: Of): Promise<void> => {
    const projects = queryClient.getQueryData(projectsQuery.queryKey);
    const project = projects?.find(({ key }) => key === params["projectKey"]);
    if (project === undefined || !hasRequested()) return;
    // The page reads the same, and shows errors.
    const done = read(queryClient, project.id, params).catch(() => {});
    await Promise.race([done, new Promise((resolve) => void setTimeout(resolve, PATIENCE_MS))]);
  };
  return { loader, shouldReload: false };
}
