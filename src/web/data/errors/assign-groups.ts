import type { BulkStatus } from "../../../shared/error-groups.ts";
import { api } from "../../api/client.ts";
import { toast } from "../../kit/notices/toast.ts";
import { sendInParts, useChangeGroups } from "./change-groups.ts";
import { groupWatchKey } from "./error-group-work.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { subjectsOf, useUndoGroups } from "./undo-groups.ts";

type Assigned = { id: number; project_id: number; assignee_id: number | null; exception_class: string };

type Assignment = { groups: readonly Assigned[]; assignee_id: number | null };

/**
 * Assigns groups of any project, optimistically; groups that the server refuses are reverted. A toast offers to return
 * them to those they were assigned to.
 */
export function useAssignGroups() {
  const undo = useUndoGroups();
  const { change } = useChangeGroups<Assignment, BulkStatus>({
    send: ({ groups, assignee_id }, change_id) =>
      sendInParts(groups, (error_group_ids) =>
        api.post("/api/error-groups/bulk-assign", { error_group_ids, assignee_id, change_id }),
      ),
    patch: (client, { groups, assignee_id }) => {
      const ids = new Set(groups.map(({ id }) => id));
      return patchEverywhere(client, "error_group", ids, () => ({ assignee_id }));
    },
    failed: ({ groups }) => notAssigned(groups.length),
    onDone: ({ data, refused_ids }, { groups, assignee_id }, { id, revert, change }) => {
      revert(new Set(refused_ids));
      const assigned = new Set(data.map((group) => group.id));
      const changed = groups.filter((group) => assigned.has(group.id) && group.assignee_id !== assignee_id);
      const [first] = changed;
      if (first === undefined) change.done();
      else {
        const name = changed.length === 1 ? first.exception_class : `${changed.length} errors`;
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
    onSettled: async (client, { groups }) => {
      await client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" });
      for (const { project_id, id } of groups)
        void client.invalidateQueries({ queryKey: groupWatchKey(project_id, id) });
    },
  });
  return change;
}

const notAssigned = (count: number) =>
  count === 1 ? "The error could not be assigned" : `${count} errors could not be assigned`;
