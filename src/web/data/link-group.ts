import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import { api, messageOf } from "../api/client.ts";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { toast } from "../kit/toast.ts";

type Linked = { projectId: number; groupId: number; exceptionClass: string };

/**
 * Links a group to an issue, or ends its link with null. Not optimistic: the server refuses a group that is linked to
 * another issue, and says to which.
 */
export function useLinkGroup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ projectId, groupId, issue }: Linked & { issue: number | null }) => {
      const path = `/api/projects/${projectId}/error-groups/${groupId}/link`;
      return issue === null ? api.delete<ErrorGroup>(path) : api.post<ErrorGroup>(path, { issue });
    },
    onSuccess: ({ id, linked_issue_id }, { exceptionClass, issue }) => {
      patchEverywhere(client, "error_group", id, { linked_issue_id });
      toast({
        title: issue === null ? `${exceptionClass} unlinked` : `${exceptionClass} linked`,
        tone: "success",
        subjects: [`error_group:${id}`],
      });
    },
    onError: (error) => toast({ title: messageOf(error), tone: "danger" }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["issue"] });
      return client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" });
    },
  });
}
