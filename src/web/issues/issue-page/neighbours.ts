import type { QueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";

export type Neighbours = { previous: Issue | undefined; next: Issue | undefined; place: number; of: number };

/** What stands beside the issue in the list that was read last and has it: the one its reader came from. */
export function neighboursIn(client: QueryClient, projectId: number, id: number): Neighbours | undefined {
  const lists = client
    .getQueryCache()
    .findAll({ queryKey: ["issue"] })
    .filter(({ queryKey }) => queryKey[2] === "list" && (queryKey[1] === projectId || queryKey[1] === null))
    .map(({ state }) => ({ at: state.dataUpdatedAt, issues: state.data as Issue[] | undefined }))
    .toSorted((a, b) => b.at - a.at);
  for (const { issues } of lists) {
    const found = beside(issues?.filter(({ project_id }) => project_id === projectId) ?? [], id);
    if (found) return found;
  }
  return undefined;
}

/** `place` counts from 1. Undefined when the list does not have it. */
export function beside<T extends { id: number }>(
  list: readonly T[],
  id: number,
): { previous: T | undefined; next: T | undefined; place: number; of: number } | undefined {
  const index = list.findIndex((item) => item.id === id);
  if (index === -1) return undefined;
  return { previous: list[index - 1], next: list[index + 1], place: index + 1, of: list.length };
}
