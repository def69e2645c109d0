declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The issues of the list that this one was opened from, in order. Kept in the history entry, so it survives a reload. */
    issueKeys?: readonly string[];
  }
}

/** The neighbors of an item and its position, which counts from 1. Undefined if it is not in the list. */
export function positionIn<T>(list: readonly T[], item: T) {
  const index = list.indexOf(item);
  if (index === -1) return undefined;
  return { previous: list[index - 1], next: list[index + 1], position: index + 1, count: list.length };
}

/** "WEB" for "WEB-12". */
export const projectKeyOf = (issueKey: string): string => issueKey.slice(0, issueKey.lastIndexOf("-"));
