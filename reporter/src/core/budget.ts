import type { Platform } from "./platform.ts";

/**
 * At most `perMinute` events in a minute, which begins with its first. What a storm leaves over is counted, and said in
 * one line when the minute is over.
 */
export function createBudget(perMinute: number, { timer, log }: Pick<Platform, "timer" | "log">) {
  let used = 0;
  let stop: (() => void) | undefined;

  function report() {
    stop?.();
    if (used > perMinute) log(`${used - perMinute} errors not sent: over ${perMinute} a minute`);
    used = 0;
  }

  /** Whether one more may be sent now. */
  function allows(): boolean {
    if (used === 0) stop = timer(60_000, report);
    used += 1;
    return used <= perMinute;
  }

  return { allows, report };
}
