import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ErrorGroup, ErrorGroupListItem, ErrorGroupStatus } from "../../shared/error-groups.ts";
import { api, messageOf } from "../api/client.ts";
import { useProfile } from "../data/session.ts";
import { toast } from "../kit/toast.ts";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { bulkText, canBecome, type StatusFields, STATUS_ACTIONS, withStatus } from "./states.ts";

type Target = StatusFields & { id: number; exception_class: string };
type Answer = { data: ErrorGroupListItem[]; refused_ids: number[] };

/**
 * Resolves, ignores or reopens groups of any project: shown at once everywhere, put back where it was refused. Says what
 * happened, with a way back.
 */
export function useSetStatus() {
  const client = useQueryClient();
  const { id: userId } = useProfile();
  const { mutate } = useMutation({
    mutationFn: ({ groups, status }: { groups: readonly Target[]; status: ErrorGroupStatus }) =>
      api.post<Answer>("/api/error-groups/bulk-status", {
        error_group_ids: groups.map(({ id }) => id),
        status,
      }),
    onMutate: async ({ groups, status }) => {
      await client.cancelQueries({ queryKey: ["error_group"] });
      const now = new Date().toISOString();
      const ids = new Set(groups.map(({ id }) => id));
      return patchEverywhere(client, "error_group", ids, (group) =>
        withStatus(group, status, { userId, now }),
      );
    },
    onError: (error, _variables, undo) => {
      undo?.();
      toast({ title: messageOf(error), tone: "danger" });
    },
    onSuccess: ({ data, refused_ids }, { groups, status }, undo) => {
      undo(new Set(refused_ids));
      const changed = new Map(data.map((group) => [group.id, group]));
      patchEverywhere(client, "error_group", new Set(changed.keys()), ({ id }) => stateOf(changed.get(id)));
      const done = groups.filter(({ id }) => changed.has(id));
      const [one] = groups;
      const title =
        groups.length === 1 && one !== undefined && refused_ids.length === 0
          ? `${one.exception_class} ${STATUS_ACTIONS[status].done}`
          : bulkText(status, done.length, refused_ids.length);
      const before = wayBack(done, status);
      const action =
        before === undefined
          ? undefined
          : { label: "Undo", onSelect: () => mutate({ groups: done, status: before }) };
      toast({ title, tone: refused_ids.length === 0 ? "success" : "neutral", action });
    },
    // Live updates were held off meanwhile.
    onSettled: () => client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" }),
  });
  return (groups: readonly Target[], status: ErrorGroupStatus) => {
    const changing = groups.filter((group) => canBecome(group, status));
    if (changing.length > 0) mutate({ groups: changing, status });
  };
}

/** The one status all of them had; a reopened group that had regressed would not regress again, and has no way back. */
function wayBack(groups: readonly Target[], status: ErrorGroupStatus): ErrorGroupStatus | undefined {
  const [before, ...others] = new Set(groups.map((group) => group.status));
  return others.length > 0 || before === status ? undefined : before;
}

/** Makes a Bug issue of a group. Not optimistic: the issue has no key until the server answers. */
export function usePromote(onIssue: (group: { project_id: number; issueId: number }) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, project_id }: { id: number; project_id: number }) =>
      api.post<ErrorGroup>(`/api/projects/${project_id}/error-groups/${id}/promote`),
    onSuccess: (group) => {
      client.setQueryData(["error_group", group.project_id, "one", group.id], group);
      const linked = { linked_issue_id: group.linked_issue_id };
      patchEverywhere(client, "error_group", group.id, linked);
      void client.invalidateQueries({ queryKey: ["issue"] });
      const { linked_issue_id: issueId, project_id } = group;
      if (issueId !== null)
        toast({
          title: `Issue made of ${group.exception_class}`,
          tone: "success",
          action: { label: "Open the issue", onSelect: () => onIssue({ project_id, issueId }) },
        });
    },
    // Linked already: the group is read again, and shows its issue.
    onError: (error) => {
      toast({ title: messageOf(error), tone: "danger" });
      void client.invalidateQueries({ queryKey: ["error_group"] });
    },
  });
}

/** Of an answer, what the page of a group does not know better. */
function stateOf(group: ErrorGroupListItem | undefined): Partial<StatusFields> {
  if (group === undefined) return {};
  const { status, resolved_at, resolved_by_id, regressed_at, last_release } = group;
  return { status, resolved_at, resolved_by_id, regressed_at, last_release };
}
