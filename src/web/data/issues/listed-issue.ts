import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { entitiesIn, queriesOf } from "../cache/cached-copies.ts";
import { issueQuery } from "./issues.ts";

/** Reads an issue. Until the server has answered, it is the issue that a cached list has, which has all of its fields. */
export function useIssue(projectId: number, ref: string) {
  const client = useQueryClient();
  return useQuery({
    ...issueQuery(projectId, ref),
    initialData: () => listedIssue(client, projectId, ref),
    // Outdated, so that it is read in any case.
    initialDataUpdatedAt: 0,
  });
}

function listedIssue(client: QueryClient, projectId: number, ref: string): Issue | undefined {
  for (const query of queriesOf(client, "issue"))
    for (const issue of entitiesIn<"issue">(query))
      if (issue.project_id === projectId && (issue.key === ref || String(issue.id) === ref)) return issue;
  return undefined;
}
