import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { Sprint, sprintBody, sprintChanges } from "../../../shared/sprints.ts";
import { allPages } from "../../api/all-pages.ts";
import { api } from "../../api/client.ts";
import { removeEverywhere } from "../cache/patch-everywhere.ts";

export const sprintsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["sprint", projectId, "list"],
    queryFn: ({ signal }) => allPages<Sprint>(`/api/projects/${projectId}/sprints`, 1_000, signal),
  });

export const useSprints = (projectId: number): Sprint[] => useQuery(sprintsQuery(projectId)).data ?? [];

export const sprintQuery = (projectId: number, sprintId: string | number) =>
  queryOptions({
    queryKey: ["sprint", projectId, "one", String(sprintId)],
    queryFn: ({ signal }) => api.get<Sprint>(`/api/projects/${projectId}/sprints/${sprintId}`, signal),
  });

export type SprintFields = z.input<typeof sprintBody>;
export type SprintChanges = z.input<typeof sprintChanges>;

export function useCreateSprint(projectId: number) {
  const keep = useKeepSprint(projectId);
  return useMutation({
    mutationFn: (fields: SprintFields) => api.post<Sprint>(`/api/projects/${projectId}/sprints`, fields),
    onSuccess: keep,
  });
}

/** Changes the fields or dates of a sprint; also starts, closes and reopens it by its state. */
export function useUpdateSprint(projectId: number) {
  const keep = useKeepSprint(projectId);
  return useMutation({
    mutationFn: ({ id, changes }: { id: number; changes: SprintChanges }) =>
      api.patch<Sprint>(`/api/projects/${projectId}/sprints/${id}`, changes),
    onSuccess: keep,
  });
}

function useKeepSprint(projectId: number) {
  const client = useQueryClient();
  return (sprint: Sprint) => {
    client.setQueryData(sprintQuery(projectId, sprint.id).queryKey, sprint);
    return client.invalidateQueries({ queryKey: ["sprint", projectId, "list"] });
  };
}

/** The issues of a deleted sprint are kept, without a sprint. */
export function useDeleteSprint(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/api/projects/${projectId}/sprints/${id}`),
    onSuccess: (_nothing, id) => {
      removeEverywhere(client, "sprint", id);
      void client.invalidateQueries({ queryKey: ["sprint", projectId, "list"] });
      void client.invalidateQueries({ queryKey: ["issue", projectId] });
    },
  });
}
