import { queryOptions } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { api, withQuery } from "../../api/client.ts";

/** The issues of a project that changed last. */
export const recentIssuesQuery = (projectId: number | undefined, limit: number) =>
  queryOptions({
    queryKey: ["issue", projectId ?? null, "recent", limit],
    queryFn: async ({ signal }) => {
      const path = withQuery(`/api/projects/${projectId}/issues`, { sort: "-updated_at", limit });
      return (await api.get<{ data: Issue[] }>(path, signal)).data;
    },
  });
