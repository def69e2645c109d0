import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { Epic, epicBody, epicChanges } from "../../../shared/epics.ts";
import type { Issue } from "../../../shared/issues.ts";
import { allPages } from "../../api/all-pages.ts";
import { api } from "../../api/client.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { toast } from "../../kit/notices/toast.ts";
import { patchEverywhere, removeEverywhere } from "../cache/patch-everywhere.ts";
import { useOptimistic } from "../cache/use-optimistic.ts";

export const epicsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["epic", projectId, "list"],
    queryFn: ({ signal }) => allPages<Epic>(`/api/projects/${projectId}/epics`, 1_000, signal),
  });

export const useEpics = (projectId: number, enabled = true): Epic[] =>
  useQuery({ ...epicsQuery(projectId), enabled }).data ?? [];

export const epicQuery = (projectId: number, epicId: string | number) =>
  queryOptions({
    queryKey: ["epic", projectId, "one", String(epicId)],
    queryFn: ({ signal }) => api.get<Epic>(`/api/projects/${projectId}/epics/${epicId}`, signal),
  });

export type EpicFields = Omit<z.input<typeof epicBody>, "state">;

/** Creates an epic, or changes the title, description and dates of an existing one. */
export function useSaveEpic(projectId: number) {
  const client = useQueryClient();
  const path = `/api/projects/${projectId}/epics`;
  return useMutation({
    mutationFn: (epic: EpicFields | { id: number; changes: z.input<typeof epicChanges> }) =>
      "id" in epic ? api.patch<Epic>(`${path}/${epic.id}`, epic.changes) : api.post<Epic>(path, epic),
    onSuccess: (epic) => {
      client.setQueryData(epicQuery(projectId, epic.id).queryKey, epic);
      return client.invalidateQueries({ queryKey: ["epic", projectId, "list"] });
    },
  });
}

/** Marks an epic as done, or opens it again. */
export function useSetEpicState(projectId: number) {
  return useOptimistic({
    key: ["epic", projectId],
    send: ({ id, state }: Pick<Epic, "id" | "state">) =>
      api.patch<Epic>(`/api/projects/${projectId}/epics/${id}`, { state }),
    patch: (client, { id, state }) => patchEverywhere(client, "epic", id, { state }),
    failed: "The epic could not be changed",
  });
}

/** Changes the dates of an epic, such as when its bar was dragged. */
export function useSetEpicDates(projectId: number) {
  return useOptimistic({
    key: ["epic", projectId],
    send: ({ id, ...dates }: Pick<Epic, "id" | "starts_on" | "ends_on">) =>
      api.patch<Epic>(`/api/projects/${projectId}/epics/${id}`, dates),
    patch: (client, { id, ...dates }) => patchEverywhere(client, "epic", id, dates),
    failed: "The dates could not be changed",
  });
}

/** The issues of a deleted epic are kept, without an epic. */
export function useDeleteEpic(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/api/projects/${projectId}/epics/${id}`),
    onSuccess: (_nothing, id) => {
      removeEverywhere(client, "epic", id);
      void client.invalidateQueries({ queryKey: ["epic", projectId, "list"] });
      void client.invalidateQueries({ queryKey: ["issue", projectId] });
    },
  });
}

/** Adds an existing issue to an epic or a sprint. */
export function useAttachIssue(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ issueId, to }: { issueId: number; to: { epic_id: number } | { sprint_id: number } }) =>
      api.patch<Issue>(`/api/projects/${projectId}/issues/${issueId}`, to),
    onSuccess: (issue) => {
      patchEverywhere(client, "issue", issue.id, issue);
      toast({ title: `${issue.key} added`, tone: "success" });
      void client.invalidateQueries({ queryKey: ["epic", projectId] });
      return client.invalidateQueries({ queryKey: ["issue", projectId, "list"] });
    },
    onError: (error) => showFailure("The issue could not be added", error),
  });
}
