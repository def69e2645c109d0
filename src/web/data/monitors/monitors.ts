import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { Page } from "../../../shared/answers.ts";
import type {
  CheckIn,
  Monitor,
  monitorBody,
  monitorChanges,
  MonitorDays,
  MonitorSchedule,
  SchedulePreview,
} from "../../../shared/monitors.ts";
import { allPages } from "../../api/all-pages.ts";
import { api, withQuery } from "../../api/client.ts";

const pathOf = (projectId: number, slug?: string, rest = "") =>
  `/api/projects/${projectId}/monitors${slug === undefined ? "" : `/${slug}${rest}`}`;

/** A project has at most 500. */
export const monitorsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["monitor", projectId, "list"],
    queryFn: ({ signal }) => allPages<Monitor>(pathOf(projectId), 500, signal),
  });

export const monitorQuery = (projectId: number, slug: string) =>
  queryOptions({
    queryKey: ["monitor", projectId, "one", slug],
    queryFn: ({ signal }) => api.get<Monitor>(pathOf(projectId, slug), signal),
  });

export type CheckInFilter = { environment?: string | undefined; status?: string | undefined };

/** Newest first, in pages. */
export const checkInsQuery = (projectId: number, slug: string, filter: CheckInFilter) =>
  infiniteQueryOptions({
    queryKey: ["monitor", projectId, "check_ins", slug, filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<CheckIn>>(
        withQuery(pathOf(projectId, slug, "/check-ins"), { ...filter, limit: 50, cursor: pageParam }),
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.meta.next_cursor,
  });

export type ScheduledTimes = { schedule: MonitorSchedule; timezone: string };

/** The next times of a schedule. An invalid schedule is not tried again. */
export const schedulePreviewQuery = (projectId: number, times: ScheduledTimes) =>
  queryOptions({
    queryKey: ["schedule_preview", projectId, times],
    queryFn: async () => (await api.post<SchedulePreview>(`${pathOf(projectId)}/preview`, times)).data,
    retry: false,
    staleTime: 0,
  });

/** The last 30 days of every monitor, in one response. */
export const monitorDaysQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["monitor", projectId, "days"],
    queryFn: async ({ signal }) =>
      (await api.get<{ data: MonitorDays[] }>(`/api/projects/${projectId}/monitor-days`, signal)).data,
  });

/** What a change of a monitor makes stale. */
export const monitorKey = (projectId: number) => ["monitor", projectId];

export const createMonitor = (projectId: number, body: z.input<typeof monitorBody>) =>
  api.post<Monitor>(pathOf(projectId), body);

export const changeMonitor = (projectId: number, slug: string, changes: z.input<typeof monitorChanges>) =>
  api.patch<Monitor>(pathOf(projectId, slug), changes);

export const deleteMonitor = (projectId: number, slug: string) => api.delete(pathOf(projectId, slug));

/** Its failures cause no errors until then. */
export const muteMonitor = (projectId: number, slug: string, until: Date) =>
  api.post<Monitor>(pathOf(projectId, slug, "/mute"), { until: until.toISOString() });

export const unmuteMonitor = (projectId: number, slug: string) =>
  api.delete(pathOf(projectId, slug, "/mute"));

/** The earlier URL is no longer accepted. */
export const renewPingUrl = (projectId: number, slug: string) =>
  api.post<Monitor>(pathOf(projectId, slug, "/ping-url"));
