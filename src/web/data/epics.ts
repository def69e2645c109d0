import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { Epic, epicBody, epicChanges } from "../../shared/epics.ts";
import type { Issue } from "../../shared/issues.ts";
import { allPages } from "../api/all-pages.ts";
import { api, messageOf } from "../api/client.ts";
import { changeIssue } from "./issues.ts";
import { toast } from "../kit/toast.tsx";

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

/** A new epic, or other words and days for one that is there. */
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

/** Done, or open again: shown at once, put back when it is refused. */
export function useSetEpicState(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, state }: Pick<Epic, "id" | "state">) =>
      api.patch<Epic>(`/api/projects/${projectId}/epics/${id}`, { state }),
    onMutate: async ({ id, state }) => {
      await client.cancelQueries({ queryKey: ["epic", projectId] });
      const [list, one] = [epicsQuery(projectId).queryKey, epicQuery(projectId, id).queryKey];
      const before = { list: client.getQueryData(list), one: client.getQueryData(one) };
      client.setQueryData(list, (all) => all?.map((epic) => (epic.id === id ? { ...epic, state } : epic)));
      client.setQueryData(one, (epic) => epic && { ...epic, state });
      return () => {
        client.setQueryData(list, before.list);
        client.setQueryData(one, before.one);
      };
    },
    onError: (error, _variables, undo) => {
      undo?.();
      toast({ title: messageOf(error), tone: "danger" });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["epic", projectId] }),
  });
}

/** Its issues stay and lose it. */
export function useDeleteEpic(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/api/projects/${projectId}/epics/${id}`),
    onSuccess: (_nothing, id) => {
      client.setQueryData(epicsQuery(projectId).queryKey, (all) => all?.filter((epic) => epic.id !== id));
      void client.invalidateQueries({ queryKey: ["epic", projectId, "list"] });
      void client.invalidateQueries({ queryKey: ["issue", projectId] });
    },
  });
}

/** Puts an issue that is there already into an epic or a sprint. */
export function useAttachIssue(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ issueId, to }: { issueId: number; to: { epic_id: number } | { sprint_id: number } }) =>
      api.patch<Issue>(`/api/projects/${projectId}/issues/${issueId}`, to),
    onSuccess: (issue) => {
      changeIssue(client, issue.id, () => issue);
      toast({ title: `${issue.key} added`, tone: "success" });
      void client.invalidateQueries({ queryKey: ["epic", projectId] });
      return client.invalidateQueries({ queryKey: ["issue", projectId, "list"] });
    },
    onError: (error) => void toast({ title: messageOf(error), tone: "danger" }),
  });
}
