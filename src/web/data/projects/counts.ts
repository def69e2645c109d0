import { queryOptions } from "@tanstack/react-query";
import type { Counts } from "../../../shared/home.ts";
import { api } from "../../api/client.ts";

/** What waits in a project, for the sidebar. Live updates of its reports and errors make it stale. */
export const countsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["counts", projectId],
    queryFn: ({ signal }) => api.get<Counts>(`/api/projects/${projectId}/counts`, signal),
  });
