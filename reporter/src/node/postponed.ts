import { attempt } from "../core/safe.ts";

/** Captures that wait for something, such as the end of a response; whoever flushes runs them first. */
export function createPostponed() {
  const waiting = new Set<() => void>();
  return {
    /** Keeps `capture`; what this answers runs it, once. */
    postpone: (capture: () => void): (() => void) => {
      const once = () => {
        if (waiting.delete(once)) capture();
      };
      waiting.add(once);
      return once;
    },
    settle: (): void => {
      for (const run of waiting) attempt(run);
    },
  };
}
