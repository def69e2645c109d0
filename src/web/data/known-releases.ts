import { useQuery } from "@tanstack/react-query";
import type { Page } from "../../shared/answers.ts";
import type { Release } from "../../shared/releases.ts";
import { api } from "../api/client.ts";

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
