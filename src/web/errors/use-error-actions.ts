import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  BulkStatus,
  ErrorGroup,
  ErrorGroupListItem,
  ErrorGroupStatus,
} from "../../shared/error-groups.ts";
import { api, messageOf } from "../api/client.ts";
import { useProfile } from "../data/session.ts";
import { toast } from "../kit/toast.ts";
import { entitiesIn, queriesOf } from "../data/cached-copies.ts";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { bulkText, canBecome, type StatusFields, STATUS_ACTIONS, withStatus } from "./states.ts";

type Change = {
  groups: readonly Target[];
  status: ErrorGroupStatus;
  /** An undo cannot be undone: ⌘Z would only go back and forth. */
  isUndo?: boolean;
};

type Target = StatusFields & { id: number; exception_class: string };

/**
 * Resolves, ignores or reopens groups of any project, optimistically; groups that the server refuses are reverted. A
 * toast shows the outcome and offers to undo it.
 */
export function useSetStatus() {
  const client = useQueryClient();
  const { id: userId } = useProfile();
  const { mutate } = useMutation({
    mutationFn: ({ groups, status }: Change) =>
      api.post<BulkStatus>("/api/error-groups/bulk-status", {
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
    onSuccess: ({ data, refused_ids }, { groups, status, isUndo }, undo) => {
      undo(new Set(refused_ids));
      const changed = new Map(data.map((group) => [group.id, group]));
      patchEverywhere(client, "error_group", new Set(changed.keys()), ({ id }) =>
        statusFieldsOf(changed.get(id)),
      );
      const done = groups.filter(({ id }) => changed.has(id));
      const [one] = groups;
      const title =
        groups.length === 1 && one !== undefined && refused_ids.length === 0
          ? `${one.exception_class} ${STATUS_ACTIONS[status].done}`
          : bulkText(status, done.length, refused_ids.length);
      const before = statusToUndoTo(done, status);
      toast({
        title,
        tone: refused_ids.length === 0 ? "success" : "neutral",
        subjects: groups.map(({ id }) => `error_group:${id}`),
        undo:
          before === undefined || isUndo
            ? undefined
            : () => {
                const unchanged = done.filter(({ id }) => hasStatus(client, id, status));
                if (unchanged.length > 0) mutate({ groups: unchanged, status: before, isUndo: true });
                else toast({ title: "Nothing undone", description: "Someone has changed the status since." });
              },
      });
    },
    // Live updates were not applied during the mutation.
    onSettled: () => client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" }),
  });
  return (groups: readonly Target[], status: ErrorGroupStatus) => {
    const changing = groups.filter((group) => canBecome(group, status));
    if (changing.length > 0) mutate({ groups: changing, status });
  };
}

/** Whether no cached copy of the group has another status. */
const hasStatus = (client: QueryClient, id: number, status: ErrorGroupStatus) =>
  queriesOf(client, "error_group")
    .flatMap((query) => entitiesIn<"error_group">(query))
    .every((group) => group.id !== id || group.status === status);

/** The status that all groups had before. Undefined if they differ, or if a regression was cleared: it cannot be restored. */
function statusToUndoTo(groups: readonly Target[], status: ErrorGroupStatus): ErrorGroupStatus | undefined {
  const [before, ...others] = new Set(groups.map((group) => group.status));
  return others.length > 0 || before === status ? undefined : before;
}

/** Promotes a group to an issue of type bug. Not optimistic, because the issue has no key until the server responds. */
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
          title: `Issue created from ${group.exception_class}`,
          tone: "success",
          action: { label: "Open issue", onSelect: () => onIssue({ project_id, issueId }) },
        });
    },
    // If the group is already linked, reload it to show its issue.
    onError: (error) => {
      toast({ title: messageOf(error), tone: "danger" });
      void client.invalidateQueries({ queryKey: ["error_group"] });
    },
  });
}

/** The status fields of a list item. Other fields are more complete on the page of the group. */
function statusFieldsOf(group: ErrorGroupListItem | undefined): Partial<StatusFields> {
  if (group === undefined) return {};
  const { status, resolved_at, resolved_by_id, regressed_at, last_release } = group;
  return { status, resolved_at, resolved_by_id, regressed_at, last_release };
}
