import type { Platform } from "./platform.ts";

/**
 * Allows at most `perMinute` events per minute. A minute starts with its first event; when it ends, one log line says
 * how many events were dropped.
 */
export function createBudget(perMinute: number, { timer, log }: Pick<Platform, "timer" | "log">) {
  let used = 0;
  let stop: (() => void) | undefined;

  function report() {
    stop?.();
    if (used > perMinute) log(`${used - perMinute} errors dropped: limit of ${perMinute} per minute`);
    used = 0;
  }

  /** Counts an event and returns whether it may be sent. */
  function allows(): boolean {
    if (used === 0) stop = timer(60_000, report);
    used += 1;
    return used <= perMinute;
  }

  return { allows, report };
}
