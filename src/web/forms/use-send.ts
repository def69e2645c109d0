import { type MutationKey, type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { showFailure } from "./show-failure.ts";

type Options<V, A> = {
  /** Identifies the mutation to code that waits for it. */
  mutationKey?: MutationKey;
  send: (input: V) => Promise<A>;
  /** Query key prefixes to invalidate. The mutation waits for their refetch, so that `onDone` sees the new state. */
  stale: readonly QueryKey[];
  onDone?: ((answer: A, input: V) => unknown) | undefined;
  /** The title of the error toast: "The lane could not be changed". Without it, the caller shows the error. */
  failed?: string;
};

/** A mutation without optimistic update. */
export function useSend<V = void, A = unknown>({ mutationKey, send, stale, onDone, failed }: Options<V, A>) {
  const client = useQueryClient();
  return useMutation<A, Error, V>({
    ...(mutationKey && { mutationKey }),
    mutationFn: send,
    onSuccess: async (answer, input) => {
      await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
      await onDone?.(answer, input);
    },
    onError: (error) => {
      if (failed !== undefined) showFailure(failed, error);
    },
  });
}
