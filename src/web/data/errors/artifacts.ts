import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Page } from "../../../shared/answers.ts";
import type { Artifact, ReleaseMapping } from "../../../shared/source-maps.ts";
import { api, withQuery } from "../../api/client.ts";

const releasePath = (projectId: number, version: string) =>
  `/api/projects/${projectId}/releases/${encodeURIComponent(version)}`;

const PAGE = 50;

/** The source maps and minified files of a release, newest first. */
export const artifactsQuery = (projectId: number, version: string) =>
  infiniteQueryOptions({
    queryKey: ["release", projectId, "artifacts", version],
    queryFn: ({ signal, pageParam }) =>
      api.get<Page<Artifact>>(
        withQuery(`${releasePath(projectId, version)}/artifacts`, { cursor: pageParam, limit: PAGE }),
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  });

/** The minified files in the release's errors, and which of them have a source map. */
export const releaseMappingQuery = (projectId: number, version: string) =>
  queryOptions({
    queryKey: ["release", projectId, "mapping", version],
    queryFn: ({ signal }) => api.get<ReleaseMapping>(`${releasePath(projectId, version)}/mapping`, signal),
  });

export const deleteArtifact = (projectId: number, version: string, id: number | undefined) =>
  api.delete(`${releasePath(projectId, version)}/artifacts/${id}`);
