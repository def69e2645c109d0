import { queryOptions } from "@tanstack/react-query";
import type { Usage } from "../../../shared/usage.ts";
import { api } from "../../api/client.ts";

/** Today's usage (UTC) and the last storm. Not live: it is read again when a page that shows it is opened. */
export const usageTodayQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["usage_today", projectId],
    queryFn: ({ signal }) => api.get<Usage>(`/api/projects/${projectId}/usage?days=1`, signal),
    staleTime: 60_000,
  });
