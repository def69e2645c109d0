import { useQuery } from "@tanstack/react-query";
import type { Page } from "../../../shared/answers.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { DayWithoutError, Release } from "../../../shared/releases.ts";
import { api } from "../../api/client.ts";

/**
 * The days with releases without the error, for the marks of its chart. They are read again when the error is seen in a
 * further release, when there is a new deploy, or after a minute, but not with every event.
 */
export function useDaysWithout({ project_id, id, releases_count }: ErrorGroup): readonly DayWithoutError[] {
  const { data } = useQuery({
    queryKey: ["release_marks", project_id, id, releases_count] as const,
    queryFn: ({ signal }) =>
      api.get<DayWithoutError[]>(`/api/projects/${project_id}/error-groups/${id}/days-without`, signal),
    placeholderData: (previous, query) => (query?.queryKey[2] === id ? previous : undefined),
  });
  return data ?? NO_DAYS;
}

const NO_DAYS: readonly DayWithoutError[] = [];

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
