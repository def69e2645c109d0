import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "../kit/toast.tsx";
import { reasonOf } from "./reason.ts";

type Options<V, A> = {
  send: (input: V) => Promise<A>;
  /** What is asked for again, by the beginnings of its keys; waited for, so that what follows shows the new state. */
  stale: readonly QueryKey[];
  onDone?: ((answer: A, input: V) => unknown) | undefined;
  /** What could not be done: "The lane could not be changed". Without it the caller shows the error. */
  failed?: string;
};

/** A change that is not shown before the server has taken it. */
export function useSend<V = void, A = unknown>({ send, stale, onDone, failed }: Options<V, A>) {
  const client = useQueryClient();
  return useMutation<A, Error, V>({
    mutationFn: send,
    onSuccess: async (answer, input) => {
      await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
      await onDone?.(answer, input);
    },
    onError: (error) => {
      if (failed !== undefined) toast({ title: `${failed}.`, description: reasonOf(error), tone: "danger" });
    },
  });
}

type Optimistic<V, T> = {
  send: (input: V) => Promise<unknown>;
  /** What is shown meanwhile. */
  key: QueryKey;
  apply: (data: T, input: V) => T;
  stale?: readonly QueryKey[];
  failed: string;
};

/**
 * A change that is shown at once, and taken back with a word when the server refuses it. Several of one list go to the
 * server one after the other, in the order they were made; it is asked for the list again after the last.
 */
export function useOptimistic<V, T>({ send, key, apply, stale = [], failed }: Optimistic<V, T>) {
  const client = useQueryClient();
  const mutationKey = ["optimistic", ...key];
  const isLast = () => client.isMutating({ mutationKey, exact: true }) === 1;
  return useMutation<unknown, Error, V, { before: T | undefined }>({
    mutationKey,
    scope: { id: JSON.stringify(key) },
    mutationFn: send,
    onMutate: async (input) => {
      await client.cancelQueries({ queryKey: key, exact: true });
      const before = client.getQueryData<T>(key);
      if (before !== undefined) client.setQueryData<T>(key, apply(before, input));
      return { before };
    },
    onError: (error, _input, context) => {
      if (context?.before !== undefined && isLast()) client.setQueryData<T>(key, context.before);
      toast({ title: `${failed}.`, description: reasonOf(error), tone: "danger" });
    },
    onSettled: () => {
      if (!isLast()) return;
      for (const queryKey of [key, ...stale]) void client.invalidateQueries({ queryKey });
    },
  });
}
