import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  ErrorGroup,
  ErrorGroupList,
  ErrorGroupSort,
  ErrorGroupStatus,
} from "../../shared/error-groups.ts";
import { api, withQuery } from "../api/client.ts";

/** Filters and order that the server applies. Everything else is filtered on the page. */
export type ErrorGroupsFilter = {
  query?: string;
  environment?: string;
  release?: string;
  level?: string;
  /** An id, `me` or `none`. */
  assignee_id?: string;
  first_release?: string;
  /** `key:value` */
  tag?: string;
  sort?: ErrorGroupSort;
  direction?: "asc";
  project_id?: number;
  status?: ErrorGroupStatus;
};

/** The first 500 groups of a project, or of all projects the person can read; the newest unless an order is given. */
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

/** While the filters change, the previous list stays on screen. With `keep` the list is fetched only if it is not cached. */
export function useErrorGroups(projectId: number | null, filter: ErrorGroupsFilter, keep: boolean) {
  return useQuery({
    ...errorGroupsQuery(projectId, filter),
    placeholderData: keepPreviousData,
    enabled: (query) => !keep || query.state.data === undefined,
  });
}

/**
 * The newest 500 groups of one status, for when the newest 500 of any status do not contain all of them. Fetched only
 * when `needed`.
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
 * The list without filters, for the choices of the filters. It is fetched once: a busy project changes every second, so
 * only the list on screen is kept fresh.
 */
export function useAllKnown(projectId: number | null): ErrorGroupList | undefined {
  const { data } = useQuery({
    ...errorGroupsQuery(projectId),
    enabled: (query) => query.state.data === undefined,
  });
  return data;
}

/** The group as a cached list has it, until its page has loaded. */
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
