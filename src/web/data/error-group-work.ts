import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ErrorGroupActivity } from "../../shared/error-group-work.ts";
import type { BulkStatus } from "../../shared/error-groups.ts";
import type { IssueWatch } from "../../shared/notifications.ts";
import { allPages } from "../api/all-pages.ts";
import { api, messageOf } from "../api/client.ts";
import { toast } from "../kit/toast.ts";
import { patchEverywhere } from "./patch-everywhere.ts";

const groupPath = (projectId: number, id: number) => `/api/projects/${projectId}/error-groups/${id}`;

/** What happened to a group, oldest first; at most the first 1,000 changes. */
export const groupActivityQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "activity", id],
    queryFn: ({ signal }) =>
      allPages<ErrorGroupActivity>(`${groupPath(projectId, id)}/activity`, 1_000, signal),
  });

/** Events change a group every second, but not who watches it, so this has a key of its own. */
export const groupWatchKey = (projectId: number, id: number) => ["error_watch", projectId, id];

/** Whether the user watches the group, and how to change that. */
export function useGroupWatch(projectId: number, id: number) {
  const client = useQueryClient();
  const path = `${groupPath(projectId, id)}/watch`;
  const key = groupWatchKey(projectId, id);
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<IssueWatch>(path, signal),
  });
  const { mutate } = useMutation({
    mutationFn: (watching: boolean) => api.put<IssueWatch>(path, { watching }),
    onMutate: async (watching) => {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(key, { watching });
    },
    onError: (error, watching) => {
      client.setQueryData(key, { watching: !watching });
      toast({ title: messageOf(error), tone: "danger" });
    },
    onSuccess: (answer) => client.setQueryData(key, answer),
  });
  return { watching: data?.watching, set: mutate };
}

type Assigned = { id: number; project_id: number; assignee_id: number | null; exception_class: string };

/** Assigns groups of any project, optimistically; groups that the server refuses are reverted. */
export function useAssignGroups() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ groups, assignee_id }: { groups: readonly Assigned[]; assignee_id: number | null }) =>
      api.post<BulkStatus>("/api/error-groups/bulk-assign", {
        error_group_ids: groups.map(({ id }) => id),
        assignee_id,
      }),
    onMutate: async ({ groups, assignee_id }) => {
      await client.cancelQueries({ queryKey: ["error_group"] });
      const ids = new Set(groups.map(({ id }) => id));
      return patchEverywhere(client, "error_group", ids, () => ({ assignee_id }));
    },
    onError: (error, _variables, undo) => {
      undo?.();
      toast({ title: messageOf(error), tone: "danger" });
    },
    onSuccess: ({ refused_ids }, { groups }, undo) => {
      undo(new Set(refused_ids));
      if (refused_ids.length > 0)
        toast({
          title:
            groups.length === 1
              ? "The error was not assigned"
              : `${refused_ids.length} errors were not assigned`,
          description: "You may not change them, or the person cannot access their project.",
          tone: "danger",
        });
    },
    onSettled: async (_answer, _error, { groups }) => {
      await client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" });
      for (const { project_id, id } of groups)
        void client.invalidateQueries({ queryKey: groupWatchKey(project_id, id) });
    },
  });
}
