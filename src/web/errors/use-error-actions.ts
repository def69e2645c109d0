import { useMutation, useQueryClient } from "@tanstack/react-query";
import { use } from "react";
import { useProfile } from "../data/session.ts";
import { GROUP_CHANGES, newChangeId, subjectsOf, useUndoGroups } from "../data/undo-groups.ts";
import { showFailure } from "../forms/show-failure.ts";
import { TimeZoneContext } from "../kit/time.tsx";
import { beginChange, toast } from "../kit/toast.ts";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { sendStatus } from "./send-status.ts";
import { applies, bulkText, doneText, type StatusChange, type StatusFields, withStatus } from "./states.ts";

type Change = { groups: readonly Target[]; change: StatusChange; id: string };

const KEY = ["error group status"];

export type Target = StatusFields & { id: number; project_id: number; exception_class: string };

/**
 * Resolves, ignores, snoozes or reopens groups of any project, optimistically; groups that the server refuses are
 * reverted. A toast shows the outcome and offers to undo it.
 */
export function useSetStatus() {
  const client = useQueryClient();
  const timeZone = use(TimeZoneContext);
  const { id: userId } = useProfile();
  const undo = useUndoGroups();
  // A later change is more recent than the response to an earlier one.
  const isLast = () => client.isMutating({ mutationKey: KEY }) <= 1;
  const { mutate } = useMutation({
    mutationKey: KEY,
    scope: GROUP_CHANGES,
    mutationFn: ({ groups, change, id }: Change) => sendStatus(groups, change, id),
    onMutate: async ({ groups, change }) => {
      const begun = beginChange();
      await client.cancelQueries({ queryKey: ["error_group"] });
      const now = new Date().toISOString();
      const ids = new Set(groups.map(({ id }) => id));
      const revert = patchEverywhere(client, "error_group", ids, (group) =>
        withStatus(group, change, { userId, now }),
      );
      return { revert, begun };
    },
    onError: (error, { groups, change }, context) => {
      context?.revert();
      showFailure(`${namesOf(groups)} could not be ${doneText(change, timeZone)}`, error);
      context?.begun.failed();
    },
    onSuccess: ({ data, refused_ids }, { groups, change, id }, { revert, begun }) => {
      revert(new Set(refused_ids));
      const changed = new Map(data.map((group) => [group.id, statusFieldsOf(group)]));
      if (isLast())
        patchEverywhere(
          client,
          "error_group",
          new Set(changed.keys()),
          (group) => changed.get(group.id) ?? {},
        );
      const done = groups.filter((group) => changed.has(group.id));
      const text = doneText(change, timeZone);
      const isOnly = groups.length === 1 && refused_ids.length === 0;
      const before = done.map((group) => ({
        id: group.id,
        project_id: group.project_id,
        ...statusFieldsOf(group),
      }));
      toast({
        title: isOnly ? `${namesOf(groups)} ${text}` : bulkText(text, done.length, refused_ids.length),
        tone: refused_ids.length === 0 ? "success" : "neutral",
        subjects: subjectsOf(groups),
        change: begun,
        undo:
          done.length === 0
            ? undefined
            : () => undo({ id, title: `${namesOf(done)} ${text}`, groups: before }),
      });
    },
    // Live updates were not applied during the mutation.
    onSettled: () =>
      isLast() ? client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" }) : undefined,
  });
  return (groups: readonly Target[], change: StatusChange) => {
    const changing = groups.filter((group) => applies(group, change, groups.length === 1));
    if (changing.length > 0) mutate({ groups: changing, change, id: newChangeId() });
  };
}

/** "TypeError", "3 errors" */
const namesOf = ([one, ...others]: readonly Target[]) =>
  others.length === 0 ? one?.exception_class : `${others.length + 1} errors`;

/** The status fields of a list item. Other fields are more complete on the page of the group. */
function statusFieldsOf(group: StatusFields): StatusFields {
  const { status, resolved_at, resolved_by_id, regressed_at, last_release } = group;
  const { resolved_in, verified_at, snoozed_until, snooze_progress } = group;
  return {
    status,
    resolved_at,
    resolved_by_id,
    regressed_at,
    last_release,
    resolved_in,
    verified_at,
    snoozed_until,
    snooze_progress,
  };
}
