import { queryOptions } from "@tanstack/react-query";
import type { IssueActivity } from "../../../shared/issues.ts";
import { allPages } from "../../api/all-pages.ts";

/** The history of an issue, oldest first; at most the first 1,000 changes. */
export const activityQuery = (projectId: number, issueId: number) =>
  queryOptions({
    queryKey: ["issue", projectId, "activity", issueId],
    queryFn: ({ signal }) =>
      allPages<IssueActivity>(`/api/projects/${projectId}/issues/${issueId}/activity`, 1_000, signal),
  });
