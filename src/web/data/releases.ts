import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Page } from "../../shared/answers.ts";
import type { Release, ReleaseDetail } from "../../shared/releases.ts";
import { api, withQuery } from "../api/client.ts";

const releasesPath = (projectId: number) => `/api/projects/${projectId}/releases`;

/** Newest first. */
export const releasesQuery = (projectId: number) =>
  infiniteQueryOptions({
    queryKey: ["release", projectId, "list"],
    queryFn: ({ signal, pageParam }) =>
      api.get<Page<Release>>(withQuery(releasesPath(projectId), { cursor: pageParam, limit: 50 }), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  });

export const releaseQuery = (projectId: number, version: string) =>
  queryOptions({
    queryKey: ["release", projectId, "one", version],
    queryFn: ({ signal }) =>
      api.get<ReleaseDetail>(`${releasesPath(projectId)}/${encodeURIComponent(version)}`, signal),
  });
