import { setTimeout as pause } from "node:timers/promises";
import { isOutage } from "../answers/outage.ts";

/** Between two attempts. */
const PAUSE_MS = 500;

/**
 * Runs `work`, and repeats it while an outage of the database prevents it, for at most `ms` and not after `stopping`
 * aborts.
 */
export async function retryInOutage(work: () => Promise<void>, ms: number, stopping?: AbortSignal) {
  const deadline = performance.now() + ms;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOver = performance.now() > deadline || stopping?.aborted === true;
      if (isOver || !(error instanceof Error) || !isOutage(error)) throw error;
    }
    await pause(PAUSE_MS);
  }
}
