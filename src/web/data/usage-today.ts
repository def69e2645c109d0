import { queryOptions } from "@tanstack/react-query";
import type { Usage } from "../../shared/usage.ts";
import { api } from "../api/client.ts";

/** The last storm of events within 24 hours. Not live: it is read again when a page that shows it is opened. */
export const stormQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["storm", projectId],
    queryFn: async ({ signal }) =>
      (await api.get<Usage>(`/api/projects/${projectId}/usage?days=1`, signal)).storm,
    staleTime: 60_000,
  });
