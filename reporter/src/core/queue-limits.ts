import type { Pending } from "./event.ts";

/** Characters of messages and traces in the queue. `maxQueued` alone does not bound memory: events can be large. */
export const MAX_QUEUED_SIZE = 4_000_000;

/** Returns the newest event of the group with the most events, because the first error of a burst is often its cause. */
export function mostFrequent(queue: readonly Pending[]): Pending {
  const size = ({ sending, group }: Pending) =>
    sending ? 0 : queue.filter((other) => other.group === group).length;
  return queue.reduce((most, pending) => (size(pending) >= size(most) ? pending : most));
}

/** The characters that `MAX_QUEUED_SIZE` limits. */
export function sizeOf(queue: readonly Pending[]): number {
  // `beforeSend` may have replaced the texts by anything.
  return queue.reduce((sum, { event }) => sum + `${event.message}${event.stack_trace}`.length, 0);
}
