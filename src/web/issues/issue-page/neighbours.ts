declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Of the list an issue was opened from, in its order; it goes with the address, also over a reload. */
    issueKeys?: readonly string[];
  }
}

/** What stands beside an item. `place` counts from 1. Undefined when the list does not have it. */
export function beside<T>(list: readonly T[], item: T) {
  const index = list.indexOf(item);
  if (index === -1) return undefined;
  return { previous: list[index - 1], next: list[index + 1], place: index + 1, of: list.length };
}

/** "WEB" of "WEB-12". */
export const projectKeyOf = (issueKey: string): string => issueKey.slice(0, issueKey.lastIndexOf("-"));
