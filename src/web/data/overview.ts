import { queryOptions } from "@tanstack/react-query";
import type { ErrorGroupList } from "../../shared/error-groups.ts";
import type { Report } from "../../shared/reports.ts";
import { api } from "../api/client.ts";

const SHOWN = 5;

/** The open error groups seen most recently. */
export const newestErrorsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "newest"],
    queryFn: async ({ signal }) =>
      (
        await api.get<ErrorGroupList>(
          `/api/projects/${projectId}/error-groups?status=0&limit=${SHOWN}`,
          signal,
        )
      ).data,
  });

/** The reports to triage, in the order of their queue. */
export const waitingReportsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["report", projectId, "waiting"],
    queryFn: ({ signal }) => api.get<Report[]>(`/api/projects/${projectId}/reports?view=active`, signal),
  });

const DAY_MS = 86_400_000;
/** The server lists at most this many groups of all projects. */
const MOST_GROUPS = 500;

/**
 * How many open groups of all projects were seen in the last 24 hours. Its key is a kind of its own: live updates of a
 * busy project would otherwise refetch it constantly.
 */
export const errorsTodayQuery = queryOptions({
  queryKey: ["errors-today"],
  queryFn: async ({ signal }) => {
    const { data } = await api.get<ErrorGroupList>("/api/error-groups?status=0", signal);
    const since = Date.now() - DAY_MS;
    const count = data.filter(({ last_seen_at }) => Date.parse(last_seen_at) >= since).length;
    return count >= MOST_GROUPS ? `${MOST_GROUPS}+` : String(count);
  },
});
