import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { BulkStatus } from "../../shared/error-groups.ts";
import { api } from "../api/client.ts";
import { showFailure } from "../forms/show-failure.ts";
import { beginChange, toast } from "../kit/toast.ts";
import { entitiesIn, queriesOf } from "./cached-copies.ts";
import { groupWatchKey } from "./error-group-work.ts";
import { patchEverywhere } from "./patch-everywhere.ts";

type Assigned = { id: number; project_id: number; assignee_id: number | null; exception_class: string };

type Assignment = {
  groups: readonly Assigned[];
  assignee_id: number | null;
  /** An undo cannot be undone: ⌘Z would only go back and forth. */
  isUndo?: boolean;
};

/** The most groups that the server assigns with one request. */
const MAX_ASSIGNED = 500;

/**
 * Assigns groups of any project, optimistically; groups that the server refuses are reverted. A toast offers to return
 * them to those they were assigned to.
 */
export function useAssignGroups() {
  const client = useQueryClient();
  const { mutate, mutateAsync } = useMutation({
    // One request at a time, in order.
    scope: { id: "assign error groups" },
    mutationFn: ({ groups, assignee_id }: Assignment) => sendAssignee(groups, assignee_id),
    onMutate: async ({ groups, assignee_id, isUndo }) => {
      const change = isUndo ? undefined : beginChange();
      await client.cancelQueries({ queryKey: ["error_group"] });
      const ids = new Set(groups.map(({ id }) => id));
      return { revert: patchEverywhere(client, "error_group", ids, () => ({ assignee_id })), change };
    },
    onError: (error, { groups }, context) => {
      context?.revert();
      showFailure(notAssigned(groups.length), error);
      context?.change?.failed();
    },
    onSuccess: ({ data, refused_ids }, { groups, assignee_id, isUndo }, { revert, change }) => {
      revert(new Set(refused_ids));
      const assigned = new Set(data.map(({ id }) => id));
      const changed = groups.filter((group) => assigned.has(group.id) && group.assignee_id !== assignee_id);
      const [one] = changed;
      const takeBack = () => {
        const unchanged = changed.filter(({ id }) => isStill(client, id, assignee_id));
        if (unchanged.length === 0)
          toast({ title: "Nothing undone", description: "Someone has changed the assignee since." });
        const returned = [...Map.groupBy(unchanged, (group) => group.assignee_id)].map(([before, some]) =>
          mutateAsync({
            groups: some.map((group) => ({ ...group, assignee_id })),
            assignee_id: before,
            isUndo: true,
          }),
        );
        return Promise.allSettled(returned);
      };
      if (one !== undefined)
        toast({
          title: `${changed.length === 1 ? one.exception_class : `${changed.length} errors`} ${assignee_id === null ? "unassigned" : "assigned"}`,
          tone: "success",
          subjects: changed.map(({ id }) => `error_group:${id}`),
          change,
          undo: isUndo ? undefined : takeBack,
        });
      else change?.done();
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
  return mutate;
}

const notAssigned = (count: number) =>
  count === 1 ? "The error could not be assigned" : `${count} errors could not be assigned`;

async function sendAssignee(groups: readonly Assigned[], assignee_id: number | null): Promise<BulkStatus> {
  const answer: BulkStatus = { data: [], refused_ids: [] };
  for (let from = 0; from < groups.length; from += MAX_ASSIGNED) {
    const error_group_ids = groups.slice(from, from + MAX_ASSIGNED).map(({ id }) => id);
    const path = "/api/error-groups/bulk-assign";
    const part = await api.post<BulkStatus>(path, { error_group_ids, assignee_id });
    answer.data.push(...part.data);
    answer.refused_ids.push(...part.refused_ids);
  }
  return answer;
}

/** Whether every cached copy of the group has the assignee that was set. */
const isStill = (client: QueryClient, id: number, assignee_id: number | null) =>
  queriesOf(client, "error_group")
    .flatMap((query) => entitiesIn<"error_group">(query))
    .every((group) => group.id !== id || group.assignee_id === assignee_id);
