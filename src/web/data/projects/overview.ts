import { queryOptions } from "@tanstack/react-query";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";
import type { Report } from "../../../shared/reports.ts";
import { api } from "../../api/client.ts";

const MAX_SHOWN = 5;

/** The open error groups with the greatest impact. */
export const worstErrorsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "worst"],
    queryFn: async ({ signal }) =>
      (
        await api.get<ErrorGroupList>(
          `/api/projects/${projectId}/error-groups?status=0&sort=impact&limit=${MAX_SHOWN}`,
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
