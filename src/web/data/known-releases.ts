import { useQuery } from "@tanstack/react-query";
import type { Page } from "../../shared/answers.ts";
import type { Release } from "../../shared/releases.ts";
import { api } from "../api/client.ts";

/**
 * The newest releases of a project, for the marks of a chart. Every event of a project makes its list of releases stale;
 * this one is read again only when there is a new deploy, or after a minute.
 */
export function useReleasesForMarks(projectId: number): Release[] {
  const { data } = useQuery({
    queryKey: ["release_marks", projectId],
    queryFn: ({ signal }) =>
      api
        .get<Page<Release>>(`/api/projects/${projectId}/releases?limit=${MOST_MARKED}`, signal)
        .then((page) => page.data),
  });
  return data ?? NONE;
}

const MOST_MARKED = 100;

const NONE: Release[] = [];

/** The newest releases of a project, for choosing one. Without a project there are none. */
export function useKnownReleases(projectId: number | null): Release[] {
  const { data } = useQuery({
    queryKey: ["release", projectId, "known"],
    queryFn: ({ signal }) =>
      api
        .get<Page<Release>>(`/api/projects/${projectId}/releases?limit=50`, signal)
        .then((page) => page.data),
    enabled: projectId !== null,
    staleTime: 20_000,
  });
  return data ?? NONE;
}
