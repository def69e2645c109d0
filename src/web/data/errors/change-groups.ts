import { type MutationKey, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { BulkStatus } from "../../../shared/error-groups.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { beginChange } from "../../kit/notices/toast.ts";
import type { Change } from "../../kit/notices/undo-steps.ts";
import type { Undo } from "../cache/patch-everywhere.ts";
import { Queued } from "../offline/queued-changes.ts";
import { cancelQueued } from "../offline/send-or-queue.ts";
import { GROUP_CHANGES, newChangeId } from "./undo-groups.ts";

/** What a change has begun. */
type Begun = {
  /** For `useUndoGroups`. */
  id: string;
  /** Reverts the patch, of some groups only or of all. */
  revert: Undo;
  /** Ends with a message that offers to undo it, or without one. */
  change: Change;
};

type GroupChange<V, A> = {
  mutationKey?: MutationKey;
  /** `changeId` names the change, so that the server can undo it. */
  send: (input: V, changeId: string) => Promise<A | Queued>;
  /** Shows the change before the server has confirmed it. Without it, the change is shown afterwards. */
  patch?: (client: QueryClient, input: V) => Undo;
  /** The title of the message: "TypeError could not be resolved". */
  failed: (input: V) => string;
  onDone: (answer: A, input: V, begun: Begun) => void;
  onSettled: (client: QueryClient, input: V) => Promise<void> | undefined;
};

/** A change of error groups that can be undone. It may wait for the connection. If the server rejects it, it is reverted and a message says why. */
export function useChangeGroups<V, A>(options: GroupChange<V, A>) {
  const { mutationKey, send, patch, failed, onDone, onSettled } = options;
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    ...GROUP_CHANGES,
    ...(mutationKey && { mutationKey }),
    mutationFn: ({ input, id }: { input: V; id: string }) => send(input, id),
    onMutate: async ({ input, id }): Promise<Begun> => {
      const change = beginChange();
      if (patch === undefined) return { id, change, revert: () => {} };
      await client.cancelQueries({ queryKey: ["error_group"] });
      return { id, change, revert: patch(client, input) };
    },
    onError: (error, { input }, begun) => {
      begun?.revert();
      showFailure(failed(input), error);
      begun?.change.failed();
    },
    onSuccess: (answer, { input }, begun) => {
      if (answer instanceof Queued) begun.change.done(() => cancelQueued(client, answer.id));
      else onDone(answer, input, begun);
    },
    onSettled: (answer, _error, { input }) =>
      answer instanceof Queued ? undefined : onSettled(client, input),
  });
  return { change: (input: V) => mutate({ input, id: newChangeId() }), isPending };
}

/** The most groups that the server changes with one request. */
export const MAX_GROUPS = 500;

/** Sends a change of any number of groups. */
export async function sendInParts(
  groups: readonly { id: number }[],
  send: (error_group_ids: number[]) => Promise<BulkStatus>,
): Promise<BulkStatus> {
  const answer: BulkStatus = { data: [], refused_ids: [] };
  for (let from = 0; from < groups.length; from += MAX_GROUPS) {
    const part = await send(groups.slice(from, from + MAX_GROUPS).map(({ id }) => id));
    answer.data.push(...part.data);
    answer.refused_ids.push(...part.refused_ids);
  }
  return answer;
}
