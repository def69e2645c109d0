import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ErrorGroup, ErrorGroupList, ErrorGroupStatus } from "../../shared/error-groups.ts";
import { api, withQuery } from "../api/client.ts";

/** What the server filters by; the rest of a view is chosen from what it answers. */
export type ErrorGroupsFilter = {
  query?: string;
  environment?: string;
  release?: string;
  project_id?: number;
  status?: ErrorGroupStatus;
};

/** The newest 500 of a project; without one, of all that the person may read. */
export const errorGroupsQuery = (projectId: number | null, filter: ErrorGroupsFilter = {}) =>
  queryOptions({
    queryKey: ["error_group", projectId, "list", filter] as const,
    queryFn: ({ signal }) =>
      api.get<ErrorGroupList>(
        withQuery(
          projectId === null ? "/api/error-groups" : `/api/projects/${projectId}/error-groups`,
          filter,
        ),
        signal,
      ),
  });

export const errorGroupQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "one", id],
    queryFn: ({ signal }) => api.get<ErrorGroup>(`/api/projects/${projectId}/error-groups/${id}`, signal),
  });

/**
 * The list while filters change: what was shown stays until the answer comes. With `keep` it is asked for only when the
 * cache has none.
 */
export function useErrorGroups(projectId: number | null, filter: ErrorGroupsFilter, keep: boolean) {
  return useQuery({
    ...errorGroupsQuery(projectId, filter),
    placeholderData: keepPreviousData,
    enabled: (query) => !keep || query.state.data === undefined,
  });
}

/**
 * The newest 500 of one status, for where the newest 500 of all do not say which there are. It is asked for only when
 * `needed`.
 */
export function useErrorGroupsOf(
  projectId: number | null,
  filter: ErrorGroupsFilter,
  status: ErrorGroupStatus | undefined,
  { needed, keep }: { needed: boolean; keep: boolean },
) {
  return useQuery({
    ...errorGroupsQuery(projectId, status === undefined ? filter : { ...filter, status }),
    placeholderData: (previous: ErrorGroupList | undefined, query) =>
      query?.queryKey[3].status === status ? previous : undefined,
    enabled: (query) => needed && (!keep || query.state.data === undefined),
  });
}

/**
 * The list without filters, for what can be filtered by. It is asked for once: only the list that is shown is kept
 * fresh, since a busy project changes every second.
 */
export function useAllKnown(projectId: number | null): ErrorGroupList | undefined {
  const { data } = useQuery({
    ...errorGroupsQuery(projectId),
    enabled: (query) => query.state.data === undefined,
  });
  return data;
}

/** What the cache has of a group until the page's own query answers. */
export function useListedGroup(id: number) {
  const client = useQueryClient();
  for (const [, list] of client.getQueriesData<ErrorGroupList>({ predicate: isList })) {
    const found = list?.data.find((group) => group.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isList = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === "error_group" && queryKey[2] === "list";
