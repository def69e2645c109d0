import { useQuery, useQueryClient } from "@tanstack/react-query";
import { countsQuery } from "../data/projects/counts.ts";
import { reportsQuery, useReports } from "../data/reports/reports.ts";
import { isActive } from "./report-views.ts";

/**
 * How many reports wait in a project. Once their list is known, it is what the list shows: dismissals that can still be
 * undone have left it, but the server counts them.
 */
export function useWaitingReports(projectId: number): number | null | undefined {
  const client = useQueryClient();
  const counted = useQuery(countsQuery(projectId)).data?.waiting_reports;
  const { data: listed } = useReports(projectId, false);
  const list = client.getQueryCache().find({ queryKey: reportsQuery(projectId).queryKey });
  // A list that is not on screen is not read again after an interruption.
  const isOutdated = list?.state.isInvalidated === true && !list.isActive();
  return listed === undefined || isOutdated ? counted : listed.filter(isActive).length;
}
