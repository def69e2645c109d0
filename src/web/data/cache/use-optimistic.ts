import { type QueryClient, type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { showFailure } from "../../forms/show-failure.ts";
import type { Undo } from "./patch-everywhere.ts";

type Optimistic<V, A> = {
  /** The queries that the change affects. Changes with the same key are sent one after another, in order. */
  key: QueryKey;
  send: (input: V) => Promise<A>;
  patch: (client: QueryClient, input: V) => Undo;
  /** Puts the server's answer into the cache. Without it the affected queries are refetched. */
  onAnswer?: (client: QueryClient, answer: A) => void;
  /** Other queries to refetch. */
  stale?: readonly QueryKey[];
  /** The title of the message: "The lane could not be moved". */
  failed: string | ((input: V) => string);
};

/** The key of the changes of these queries that are in flight. */
export const optimisticKey = (key: QueryKey): QueryKey => ["optimistic", ...key];

/**
 * A change that is shown before the server confirms it. If the server rejects it, the change is undone and a message
 * says why. If several changes are in flight, only the last response counts: earlier responses do not include the later
 * changes.
 */
export function useOptimistic<V, A = unknown>(options: Optimistic<V, A>) {
  const { key, send, patch, onAnswer, stale = [], failed } = options;
  const client = useQueryClient();
  const mutationKey = optimisticKey(key);
  const isLast = () => client.isMutating({ mutationKey, exact: true }) <= 1;
  return useMutation<A, Error, V, Undo>({
    mutationKey,
    scope: { id: JSON.stringify(key) },
    mutationFn: send,
    onMutate: async (input) => {
      // A response that is on its way was read before the change.
      await client.cancelQueries({ queryKey: key });
      return patch(client, input);
    },
    onSuccess: (answer) => {
      if (isLast()) onAnswer?.(client, answer);
    },
    onError: (error, input, undo) => {
      undo?.();
      showFailure(typeof failed === "string" ? failed : failed(input), error);
    },
    onSettled: (_answer, error) => {
      if (!isLast()) return;
      const affected = onAnswer === undefined || error ? [key] : [];
      for (const queryKey of [...affected, ...stale]) void client.invalidateQueries({ queryKey });
    },
  });
}
