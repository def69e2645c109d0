import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Label } from "../../../shared/labels.ts";
import { allPages } from "../../api/all-pages.ts";

export const labelsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["label", projectId],
    queryFn: ({ signal }) => allPages<Label>(`/api/projects/${projectId}/labels`, 1_000, signal),
    staleTime: 5 * 60_000,
  });

export const useLabels = (projectId: number): Label[] => useQuery(labelsQuery(projectId)).data ?? [];
