import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Page } from "../../../shared/answers.ts";
import type { ReleaseHealthSeries, SessionsWithError } from "../../../shared/release-health.ts";
import type { FixRelease, Release, ReleaseDetail } from "../../../shared/releases.ts";
import { api, withQuery } from "../../api/client.ts";

const releasesPath = (projectId: number) => `/api/projects/${projectId}/releases`;

/** Newest first. Their health is that of the environment, or of all. */
export const releasesQuery = (projectId: number, environment?: string) =>
  infiniteQueryOptions({
    queryKey: ["release", projectId, "list", environment],
    queryFn: ({ signal, pageParam }) => {
      const query = { environment, cursor: pageParam, limit: 50 };
      return api.get<Page<Release>>(withQuery(releasesPath(projectId), query), signal);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  });

/** Its health and comparison are those of the environment, or of all. */
export const releaseQuery = (projectId: number, version: string, environment?: string) =>
  queryOptions({
    queryKey: ["release", projectId, "one", version, environment],
    queryFn: ({ signal }) => {
      const path = withQuery(`/api/projects/${projectId}/release`, { version, environment });
      return api.get<ReleaseDetail>(path, signal);
    },
  });

export type HealthInterval = "hour" | "day";

const HEALTH_DAYS: Record<HealthInterval, number> = { hour: 2, day: 30 };

/** The sessions of the last two days by hour, or of the last 30 by day. Those without sessions are left out. */
export const releaseHealthQuery = (
  projectId: number,
  { version, environment, interval }: { version: string; environment?: string; interval: HealthInterval },
) =>
  queryOptions({
    queryKey: ["release", projectId, "health", version, environment, interval],
    queryFn: async ({ signal }) => {
      const query = { version, environment, interval, days: HEALTH_DAYS[interval] };
      const path = withQuery(`/api/projects/${projectId}/release/health`, query);
      return (await api.get<ReleaseHealthSeries>(path, signal)).data;
    },
  });

/** An error's events and the project's sessions of the last days. */
export const sessionsWithErrorQuery = (projectId: number, groupId: number) =>
  queryOptions({
    queryKey: ["sessions-with-error", projectId, groupId],
    queryFn: ({ signal }) =>
      api.get<SessionsWithError>(`/api/projects/${projectId}/error-groups/${groupId}/sessions`, signal),
    staleTime: 60_000,
  });

/** The server accepts at most this many ids. */
const MAX_IDS = 200;

/** The release with the fixes of these errors, or the first one after the issue was closed if it has none. */
export const fixReleaseQuery = (projectId: number, groupIds: readonly number[], closedAt: string) =>
  queryOptions({
    queryKey: ["release", projectId, "fix", groupIds, closedAt],
    queryFn: ({ signal }) =>
      api.get<FixRelease>(
        withQuery(
          `/api/projects/${projectId}/fix-release`,
          groupIds.length === 0
            ? { closed_at: closedAt }
            : { error_group_ids: groupIds.slice(0, MAX_IDS).join(",") },
        ),
        signal,
      ),
  });
