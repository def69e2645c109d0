import { attempt } from "../core/safe.ts";

/**
 * Captures that wait for an event, such as the end of a response. `postpone` returns a function that runs the capture
 * once; `settle` runs all that are still waiting.
 */
export function createPostponed() {
  const waiting = new Set<() => void>();
  return {
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
