import type { Group } from "./groups.ts";

type Candidates = {
  selected: readonly Group[];
  /** The row of the cursor. */
  current: Group | undefined;
  openGroup: Group | undefined;
};

/**
 * The groups that a key or a command acts on: the selected ones, or else the one under the cursor or the open one. A
 * focused row comes before the open one.
 */
export function commandTargets({ selected, current, openGroup }: Candidates) {
  const target = current ?? openGroup;
  return { target, targets: selected.length > 0 ? selected : target ? [target] : [] };
}

/** "notification", "3 notifications": follows the verb in the name of a command. */
export function nounFor(targets: readonly Group[]): string {
  const count = targets.flatMap(({ entries }) => entries).length;
  return count > 1 ? `${count} notifications` : "notification";
}

/** Whether an entry can be marked as unread, or returned to the inbox in the view of snoozed ones. */
export const canReopen = (targets: readonly Group[], snoozed: boolean): boolean =>
  targets.some(({ entries, unread }) => snoozed || unread < entries.length);
