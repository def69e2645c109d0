import type { Platform } from "./platform.ts";

/**
 * Counts the events that were dropped because of a limit, by group. A minute after the first of them, and when the program ends,
 * logs their number and groups in one line.
 */
export function createLeftOut({ timer, log }: Pick<Platform, "timer" | "log">) {
  const counts = new Map<string, number>();
  let stop: (() => void) | undefined;
  let total = 0;

  function add(group: string) {
    const key = counts.has(group) || counts.size < 100 ? group : "others";
    counts.set(key, (counts.get(key) ?? 0) + 1);
    total += 1;
    stop ??= timer(60_000, report);
  }

  function report() {
    stop?.();
    stop = undefined;
    if (counts.size === 0) return;
    const groups = [...counts].sort((a, b) => b[1] - a[1]).map(([group, count]) => `${count} × ${group}`);
    counts.clear();
    log(`${total} errors left out by maxPerMinute or maxQueued: ${groups.slice(0, 3).join(", ")}`);
    total = 0;
  }

  return { add, report };
}

export type LeftOut = ReturnType<typeof createLeftOut>;
