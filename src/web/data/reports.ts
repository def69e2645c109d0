import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { z } from "zod";
import type { Attachment, promoteBody, Report } from "../../shared/reports.ts";
import { api, messageOf } from "../api/client.ts";
import { toast } from "../kit/toast.tsx";
import { pendingDismissals, withDismissal } from "./pending-dismissals.ts";
import { useStore } from "../state/store.ts";

export const reportsPath = (projectId: number) => `/api/projects/${projectId}/reports`;

/** All reports of a project in the order of their queue, whatever was done with them: places are known by the whole. */
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

export const attachmentsQuery = (projectId: number, reportId: number) =>
  queryOptions({
    queryKey: ["report", projectId, "attachments", reportId],
    queryFn: ({ signal }) =>
      api.get<Attachment[]>(`${reportsPath(projectId)}/${reportId}/attachments`, signal),
  });

/** The list, with the dismissals that can still be undone. */
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

/** Puts what the server answered in the place of what was known. */
export function replaceReports(client: QueryClient, projectId: number, reports: readonly Report[]): void {
  const byId = new Map(reports.map((report) => [report.id, report]));
  client.setQueryData(reportsQuery(projectId).queryKey, (list) =>
    list?.map((report) => byId.get(report.id) ?? report),
  );
  for (const report of reports)
    client.setQueryData(reportQuery(projectId, report.id).queryKey, (known) => known && report);
}

export type Promotion = z.input<typeof promoteBody>;

/** Not optimistic: what has no key yet is not shown. */
export function usePromoteReports(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Promotion) => api.post<Report[]>(`${reportsPath(projectId)}/promote`, body),
    onSuccess: (reports) => {
      replaceReports(client, projectId, reports);
      void client.invalidateQueries({ queryKey: ["issue"] });
    },
    // Somebody may have dealt with one of them.
    onError: () => client.invalidateQueries({ queryKey: ["report", projectId] }),
  });
}

/** With its attachments; cannot be taken back. */
export function useDeleteReport(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Report) => api.delete(`${reportsPath(projectId)}/${id}`),
    onSuccess: (_nothing, { id }) => {
      client.setQueryData(reportsQuery(projectId).queryKey, (list) =>
        list?.filter((report) => report.id !== id),
      );
    },
    onError: () => client.invalidateQueries({ queryKey: ["report", projectId] }),
  });
}

type Watchers = { report_watcher_ids: number[] };

// A kind of its own: a report that comes in changes nothing about who watches.
export const watchersQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["report_watch", projectId],
    queryFn: ({ signal }) => api.get<Watchers>(`${reportsPath(projectId)}/watch`, signal),
    staleTime: 5 * 60_000,
  });

/** Shown at once; a refusal puts it back. */
export function useToggleWatch(projectId: number, me: number) {
  const client = useQueryClient();
  const { queryKey } = watchersQuery(projectId);
  return useMutation({
    mutationFn: () => api.post<Watchers>(`${reportsPath(projectId)}/watch`),
    onMutate: async () => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (known) => {
        const ids = known?.report_watcher_ids ?? [];
        return { report_watcher_ids: ids.includes(me) ? ids.filter((id) => id !== me) : [...ids, me] };
      });
      return before;
    },
    onError: (error, _nothing, before) => {
      client.setQueryData(queryKey, before);
      toast({ title: messageOf(error), tone: "danger" });
    },
    onSuccess: (watchers) => void client.setQueryData(queryKey, watchers),
  });
}
