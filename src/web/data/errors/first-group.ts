import { queryOptions } from "@tanstack/react-query";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";
import { api } from "../../api/client.ts";

/** Live updates invalidate this query, so the first event appears without polling. Two errors tell whether it is the only one. */
export const firstGroupQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "first"],
    queryFn: async ({ signal }) =>
      (await api.get<ErrorGroupList>(`/api/projects/${projectId}/error-groups?limit=2`, signal)).data,
  });
