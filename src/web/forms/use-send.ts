import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "../kit/toast.ts";
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
