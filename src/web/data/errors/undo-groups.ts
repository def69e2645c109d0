import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { UndoRefusal } from "../../../shared/error-group-work.ts";
import type { ErrorGroupListItem, UndoneChange } from "../../../shared/error-groups.ts";
import { api, ApiError } from "../../api/client.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { toast } from "../../kit/notices/toast.ts";
import { groupWatchKey } from "./error-group-work.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { optimisticKey } from "../cache/use-optimistic.ts";

/** All changes of error groups, of any project: requests are sent one at a time, in order, and live updates wait for them. */
export const GROUP_CHANGES = {
  mutationKey: optimisticKey(["error_group", null]),
  scope: { id: "error group changes" },
};

/** A change that the server can undo by its id. */
export type UndoableChange = {
  id: string;
  /** "TypeError resolved" */
  title: string;
  /** What the cached groups looked like before. */
  groups: readonly (Partial<ErrorGroupListItem> & { id: number; project_id: number })[];
};

/** A random UUID. `crypto.randomUUID` does not exist on pages without HTTPS. */
export function newChangeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const [version = 0, variant = 0] = [bytes[6], bytes[8]];
  bytes[6] = (version & 0x0f) | 0x40;
  bytes[8] = (variant & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Returns groups to exactly what they were before a change of their status, assignee or link, optimistically. A message says
 * which of them have been changed since, and stay.
 */
export function useUndoGroups() {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    ...GROUP_CHANGES,
    mutationFn: ({ id }: UndoableChange) =>
      api.post<UndoneChange>("/api/error-groups/undo", { change_id: id }),
    onMutate: async ({ groups }) => {
      await client.cancelQueries({ queryKey: ["error_group"] });
      const before = new Map(groups.map((group) => [group.id, group]));
      return patchEverywhere(client, "error_group", new Set(before.keys()), ({ id }) => before.get(id) ?? {});
    },
    onError: (error, { title, groups }, revert) => {
      revert?.();
      const subjects = subjectsOf(groups);
      if (error instanceof ApiError && error.status === 404)
        toast({ title: "Nothing undone", description: "The change can no longer be undone.", subjects });
      else showFailure(`“${title}” could not be undone`, error, subjects);
    },
    onSuccess: ({ refused }, { title, groups }, revert) => {
      revert(new Set(refused.map(({ error_group_id }) => error_group_id)));
      const description = reasonFor(refused.map(({ reason }) => reason));
      const undone = groups.length - refused.length;
      toast({
        title: undone === 0 ? "Nothing undone" : `Undone: ${title}`,
        description: undone === 0 || refused.length === 0 ? description : `${undone} undone. ${description}`,
        tone: refused.length === 0 ? "success" : "neutral",
        subjects: subjectsOf(groups),
      });
    },
    onSettled: (_answer, _error, { groups }) => refetch(client, groups),
  });
  return (change: UndoableChange) => mutateAsync(change).catch(() => {});
}

export const subjectsOf = (groups: readonly { id: number }[]) => groups.map(({ id }) => `error_group:${id}`);

async function refetch(client: QueryClient, groups: UndoableChange["groups"]) {
  void client.invalidateQueries({ queryKey: ["issue"] });
  void client.invalidateQueries({ queryKey: ["release"] });
  for (const { project_id, id } of groups)
    void client.invalidateQueries({ queryKey: groupWatchKey(project_id, id) });
  await client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" });
}

const REASONS: Record<UndoRefusal, { one: string; many: string }> = {
  regressed: {
    one: "A new event has reopened the error since.",
    many: "New events have reopened them since.",
  },
  snooze_ended: {
    one: "The error’s snooze has ended since.",
    many: "Their snooze has ended since.",
  },
  changed: {
    one: "The error has been changed again since.",
    many: "They have been changed again since.",
  },
  not_permitted: {
    one: "You may no longer change the error.",
    many: "You may no longer change them.",
  },
};

/** Why groups stay: "3 errors stay. New events have reopened them since." */
function reasonFor(reasons: readonly UndoRefusal[]): string | undefined {
  const [first, ...others] = reasons;
  if (first === undefined) return undefined;
  if (others.length === 0) return REASONS[first].one;
  const isSame = others.every((reason) => reason === first);
  return `${reasons.length} errors stay as they are. ${isSame ? REASONS[first].many : REASONS.changed.many}`;
}
