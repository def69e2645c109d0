import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BulkStatus } from "../../shared/error-groups.ts";
import { api, messageOf } from "../api/client.ts";
import { toast } from "../kit/toast.ts";
import { groupWatchKey } from "./error-group-work.ts";
import { patchEverywhere } from "./patch-everywhere.ts";

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
