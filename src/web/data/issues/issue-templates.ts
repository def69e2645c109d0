import { queryOptions } from "@tanstack/react-query";
import type { Page } from "../../../shared/answers.ts";
import type { IssueTemplate } from "../../../shared/issue-templates.ts";
import { api } from "../../api/client.ts";

/** By name. Requires permission to read issues. */
export const issueTemplatesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["issue_template", projectId],
    queryFn: async ({ signal }) =>
      (await api.get<Page<IssueTemplate>>(`/api/projects/${projectId}/issue-templates`, signal)).data,
    staleTime: 5 * 60_000,
  });
