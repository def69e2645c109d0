import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BulkStatus } from "../../shared/error-groups.ts";
import { api } from "../api/client.ts";
import { showFailure } from "../forms/show-failure.ts";
import { beginChange, toast } from "../kit/toast.ts";
import { groupWatchKey } from "./error-group-work.ts";
import { patchEverywhere } from "./patch-everywhere.ts";
import { GROUP_CHANGES, newChangeId, subjectsOf, useUndoGroups } from "./undo-groups.ts";

type Assigned = { id: number; project_id: number; assignee_id: number | null; exception_class: string };

type Assignment = { groups: readonly Assigned[]; assignee_id: number | null };

/** The most groups that the server assigns with one request. */
const MAX_ASSIGNED = 500;

/**
 * Assigns groups of any project, optimistically; groups that the server refuses are reverted. A toast offers to return
 * them to those they were assigned to.
 */
export function useAssignGroups() {
  const client = useQueryClient();
  const undo = useUndoGroups();
  const { mutate } = useMutation({
    scope: GROUP_CHANGES,
    mutationFn: ({ groups, assignee_id, id }: Assignment & { id: string }) =>
      sendAssignee(groups, assignee_id, id),
    onMutate: async ({ groups, assignee_id }) => {
      const change = beginChange();
      await client.cancelQueries({ queryKey: ["error_group"] });
      const ids = new Set(groups.map(({ id }) => id));
      return { revert: patchEverywhere(client, "error_group", ids, () => ({ assignee_id })), change };
    },
    onError: (error, { groups }, context) => {
      context?.revert();
      showFailure(notAssigned(groups.length), error);
      context?.change.failed();
    },
    onSuccess: ({ data, refused_ids }, { groups, assignee_id, id }, { revert, change }) => {
      revert(new Set(refused_ids));
      const assigned = new Set(data.map((group) => group.id));
      const changed = groups.filter((group) => assigned.has(group.id) && group.assignee_id !== assignee_id);
      const [one] = changed;
      if (one === undefined) change.done();
      else {
        const name = changed.length === 1 ? one.exception_class : `${changed.length} errors`;
        const title = `${name} ${assignee_id === null ? "unassigned" : "assigned"}`;
        const before = changed.map((group) => ({
          id: group.id,
          project_id: group.project_id,
          assignee_id: group.assignee_id,
        }));
        toast({
          title,
          tone: "success",
          subjects: subjectsOf(changed),
          change,
          undo: () => undo({ id, title, groups: before }),
        });
      }
      if (refused_ids.length > 0)
        toast({
          title: `${notAssigned(groups.length === 1 ? 1 : refused_ids.length)}.`,
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
  return (assignment: Assignment) => mutate({ ...assignment, id: newChangeId() });
}

const notAssigned = (count: number) =>
  count === 1 ? "The error could not be assigned" : `${count} errors could not be assigned`;

async function sendAssignee(
  groups: readonly Assigned[],
  assignee_id: number | null,
  change_id: string,
): Promise<BulkStatus> {
  const answer: BulkStatus = { data: [], refused_ids: [] };
  for (let from = 0; from < groups.length; from += MAX_ASSIGNED) {
    const error_group_ids = groups.slice(from, from + MAX_ASSIGNED).map(({ id }) => id);
    const path = "/api/error-groups/bulk-assign";
    const part = await api.post<BulkStatus>(path, { error_group_ids, assignee_id, change_id });
    answer.data.push(...part.data);
    answer.refused_ids.push(...part.refused_ids);
  }
  return answer;
}
