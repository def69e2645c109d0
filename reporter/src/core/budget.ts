import type { Platform } from "./platform.ts";

/**
 * Allows at most `perMinute` events per minute; a minute starts with its first event. The first event of each group is
 * always allowed within that limit. Repetitions of a group may use only half of what others have left, so that one
 * frequent error does not hide the others.
 */
export function createBudget(perMinute: number, { timer }: Pick<Platform, "timer">) {
  const groups = new Map<string, number>();
  let used = 0;

  /** Counts an event and returns whether it may be sent. */
  return (group: string): boolean => {
    const before = groups.get(group) ?? 0;
    if (used >= perMinute || before > perMinute - used) return false;
    if (used === 0)
      timer(60_000, () => {
        used = 0;
        groups.clear();
      });
    used += 1;
    groups.set(group, before + 1);
    return true;
  };
}
