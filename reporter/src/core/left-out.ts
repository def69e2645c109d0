import type { Platform } from "./platform.ts";

/**
 * Counts the events that were dropped because of a limit, by group. A minute after the first of them, and when the
 * program ends, one log line says how many there were and of which groups.
 */
export function createLeftOut({ timer, log }: Pick<Platform, "timer" | "log">) {
  const counts = new Map<string, number>();
  let stop: (() => void) | undefined;

  function add(group: string) {
    const key = counts.has(group) || counts.size < 100 ? group : "others";
    counts.set(key, (counts.get(key) ?? 0) + 1);
    stop ??= timer(60_000, report);
  }

  function report() {
    stop?.();
    stop = undefined;
    const groups = [...counts].sort((a, b) => b[1] - a[1]);
    counts.clear();
    const total = groups.reduce((sum, [, count]) => sum + count, 0);
    const listed = groups.slice(0, 3).map(([group, count]) => `${count} × ${group}`);
    if (total > 0)
      log(
        `${total} errors left out by maxPerMinute or maxQueued: ${listed.join(", ")}${groups[3] ? ", …" : ""}`,
      );
  }

  return { add, report };
}

export type LeftOut = ReturnType<typeof createLeftOut>;
