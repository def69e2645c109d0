import { setTimeout as pause } from "node:timers/promises";
import { isOutage } from "../answers/outage.ts";

/** Between two attempts. */
const PAUSE_MS = 500;

/**
 * Does `work`, which may be repeated, and again as long as an outage prevents it, but not for longer than `ms` or after
 * `stopping` aborts.
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
