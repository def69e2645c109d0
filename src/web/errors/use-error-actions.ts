import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { use } from "react";
import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import { useProfile } from "../data/session.ts";
import { showFailure } from "../forms/show-failure.ts";
import { TimeZoneContext } from "../kit/time.tsx";
import { beginChange, toast } from "../kit/toast.ts";
import { entitiesIn, queriesOf } from "../data/cached-copies.ts";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { sendStatus } from "./send-status.ts";
import {
  applies,
  bulkText,
  changeBack,
  doneText,
  type StatusChange,
  type StatusFields,
  withStatus,
} from "./states.ts";

type Change = {
  groups: readonly Target[];
  change: StatusChange;
  /** An undo cannot be undone: ⌘Z would only go back and forth. */
  isUndo?: boolean;
};

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
  // A later change is more recent than the response to an earlier one.
  const isLast = () => client.isMutating({ mutationKey: KEY }) <= 1;
  const { mutate, mutateAsync } = useMutation({
    mutationKey: KEY,
    // One request at a time, in order.
    scope: { id: KEY.join() },
    mutationFn: ({ groups, change }: Change) => sendStatus(groups, change),
    onMutate: async ({ groups, change, isUndo }) => {
      const begun = isUndo ? undefined : beginChange();
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
      context?.begun?.failed();
    },
    onSuccess: ({ data, refused_ids }, { groups, change, isUndo }, { revert, begun }) => {
      revert(new Set(refused_ids));
      const changed = new Map(data.map((group) => [group.id, statusFieldsOf(group)]));
      if (isLast())
        patchEverywhere(client, "error_group", new Set(changed.keys()), ({ id }) => changed.get(id) ?? {});
      const done = groups.filter(({ id }) => changed.has(id));
      const [one] = groups;
      const text = doneText(change, timeZone);
      const title =
        groups.length === 1 && one !== undefined && refused_ids.length === 0
          ? `${one.exception_class} ${text}`
          : bulkText(text, done.length, refused_ids.length);
      const back = changeBack(done, change);
      toast({
        title,
        tone: refused_ids.length === 0 ? "success" : "neutral",
        subjects: groups.map(({ id }) => `error_group:${id}`),
        change: begun,
        undo:
          back === undefined || isUndo
            ? undefined
            : () => {
                const unchanged = done.filter(({ id }) => isStill(client, id, changed.get(id)));
                if (unchanged.length > 0)
                  return mutateAsync({ groups: unchanged, change: back, isUndo: true }).catch(() => {});
                toast({ title: "Nothing undone", description: "Someone has changed the status since." });
                return undefined;
              },
      });
    },
    // Live updates were not applied during the mutation.
    onSettled: () =>
      isLast() ? client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" }) : undefined,
  });
  return (groups: readonly Target[], change: StatusChange) => {
    const changing = groups.filter((group) => applies(group, change, groups.length === 1));
    if (changing.length > 0) mutate({ groups: changing, change });
  };
}

/** "TypeError", "3 errors" */
const namesOf = ([one, ...others]: readonly Target[]) =>
  others.length === 0 ? one?.exception_class : `${others.length + 1} errors`;

/** Whether every cached copy of the group has the status that was set. */
const isStill = (client: QueryClient, id: number, set: StatusFields | undefined) =>
  set !== undefined &&
  queriesOf(client, "error_group")
    .flatMap((query) => entitiesIn<"error_group">(query))
    .every((group) => group.id !== id || hasSameStatus(group, set));

function hasSameStatus(a: StatusFields, b: StatusFields): boolean {
  const of = ({ status, resolved_in, snoozed_until }: StatusFields) =>
    JSON.stringify([status, resolved_in, snoozed_until]);
  return of(a) === of(b);
}

/** The status fields of a list item. Other fields are more complete on the page of the group. */
function statusFieldsOf(group: ErrorGroupListItem): StatusFields {
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
