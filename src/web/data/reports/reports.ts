import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Attachment } from "../../../shared/attachments.ts";
import type { Report } from "../../../shared/reports.ts";
import type { ReportWatch } from "../../../shared/notifications.ts";
import { api } from "../../api/client.ts";
import { useStore } from "../../state/store.ts";
import { patchEverywhere, removeEverywhere } from "../cache/patch-everywhere.ts";
import { pendingDismissals, withDismissal } from "./pending-dismissals.ts";
import { useOptimistic } from "../cache/use-optimistic.ts";

export const reportsPath = (projectId: number) => `/api/projects/${projectId}/reports`;

/** All reports of a project in the order of their queue, dismissed and promoted ones included: moving needs them all. */
export const reportsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["report", projectId, "list"],
    queryFn: ({ signal }) => api.get<Report[]>(reportsPath(projectId), signal),
  });

export const reportQuery = (projectId: number, reportId: string | number) =>
  queryOptions({
    queryKey: ["report", projectId, "one", String(reportId)],
    queryFn: ({ signal }) => api.get<Report>(`${reportsPath(projectId)}/${reportId}`, signal),
  });

/** The reports that came with an error. */
export const reportsOfErrorQuery = (projectId: number, groupId: number) =>
  queryOptions({
    queryKey: ["report", projectId, "of-error", groupId],
    queryFn: ({ signal }) =>
      api.get<Report[]>(`/api/projects/${projectId}/error-groups/${groupId}/reports`, signal),
  });

export const attachmentsQuery = (projectId: number, reportId: number) =>
  queryOptions({
    queryKey: ["report", projectId, "attachments", reportId],
    queryFn: ({ signal }) =>
      api.get<Attachment[]>(`${reportsPath(projectId)}/${reportId}/attachments`, signal),
  });

/** The list with pending dismissals applied. */
export function useReports(projectId: number, enabled = true) {
  const dismissals = useStore(pendingDismissals);
  const query = useQuery({ ...reportsQuery(projectId), enabled });
  const data = useMemo(
    () => query.data?.map((report) => withDismissal(report, dismissals)),
    [query.data, dismissals],
  );
  return { ...query, data };
}

export function useReport(projectId: number, reportId: string, enabled = true) {
  const dismissals = useStore(pendingDismissals);
  const query = useQuery({ ...reportQuery(projectId, reportId), enabled });
  return { ...query, data: query.data && withDismissal(query.data, dismissals) };
}

/** Puts what the server answered into the cache. */
export function putReports(client: QueryClient, reports: readonly Report[]): void {
  for (const report of reports) patchEverywhere(client, "report", report.id, report);
}

/** Deletes a report and its attachments; cannot be undone. */
export function useDeleteReport(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Report) => api.delete(`${reportsPath(projectId)}/${id}`),
    onSuccess: (_nothing, { id }) => removeEverywhere(client, "report", id),
    onError: () => client.invalidateQueries({ queryKey: ["report", projectId] }),
  });
}

// Its key is a kind of its own, because a new report does not change who is watching.
export const watchersQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["report_watch", projectId],
    queryFn: ({ signal }) => api.get<ReportWatch>(`${reportsPath(projectId)}/watch`, signal),
    staleTime: 5 * 60_000,
  });

export function useToggleWatch(projectId: number, me: number) {
  const put = (client: QueryClient, watchers: ReportWatch | ((now: ReportWatch) => ReportWatch)) =>
    patchEverywhere(client, "report_watch", projectId, watchers);
  return useOptimistic<void, ReportWatch>({
    key: watchersQuery(projectId).queryKey,
    send: () => api.post<ReportWatch>(`${reportsPath(projectId)}/watch`),
    patch: (client) =>
      put(client, ({ report_watcher_ids: ids }) => ({
        report_watcher_ids: ids.includes(me) ? ids.filter((id) => id !== me) : [...ids, me],
      })),
    onAnswer: put,
    failed: "Your change could not be saved",
  });
}
