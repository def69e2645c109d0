import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Lane } from "../../../shared/lanes.ts";
import { allPages } from "../../api/all-pages.ts";

const inOrder = (lanes: Lane[]) => lanes.toSorted((a, b) => a.position - b.position);

/** The project's lanes in the order of the board. */
export const lanesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["lane", projectId],
    queryFn: ({ signal }) => allPages<Lane>(`/api/projects/${projectId}/lanes`, 1_000, signal),
    select: inOrder,
    staleTime: 5 * 60_000,
  });

export const useLanes = (projectId: number): Lane[] => useQuery(lanesQuery(projectId)).data ?? [];
