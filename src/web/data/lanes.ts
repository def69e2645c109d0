import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Lane } from "../../shared/lanes.ts";
import { allPages } from "../api/all-pages.ts";

/** The project's lanes in their order. */
export const lanesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["lane", projectId],
    queryFn: async ({ signal }) => {
      const lanes = await allPages<Lane>(`/api/projects/${projectId}/lanes`, 1_000, signal);
      return lanes.toSorted((a, b) => a.position - b.position);
    },
    staleTime: 5 * 60_000,
  });

export const useLanes = (projectId: number): Lane[] => useQuery(lanesQuery(projectId)).data ?? [];
