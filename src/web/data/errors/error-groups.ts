import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type {
  ErrorGroup,
  ErrorGroupList,
  ErrorGroupListItem,
  ErrorGroupSort,
  ErrorGroupStatus,
} from "../../../shared/error-groups.ts";
import type { ErrorTags } from "../../../shared/kept-events.ts";
import { api, withQuery } from "../../api/client.ts";
import { entitiesIn, queriesOf } from "../cache/cached-copies.ts";

/** Filters and order that the server applies. Everything else is filtered on the page. */
export type ErrorGroupsFilter = {
  ids?: string;
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
  regressed?: boolean;
};

/**
 * The groups of a project, or of all projects the person can read, in pages of 500; the newest first unless an order is
 * given.
 */
export const errorGroupsQuery = (projectId: number | null, filter: ErrorGroupsFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ["error_group", projectId, "list", filter] as const,
    queryFn: ({ signal, pageParam }) =>
      api.get<ErrorGroupList>(
        withQuery(
          projectId === null ? "/api/error-groups" : `/api/projects/${projectId}/error-groups`,
          pageParam === null ? filter : { ...filter, cursor: pageParam },
        ),
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  });

/** The groups of the loaded pages. A group that has moved while they were read may be on two of them. */
export function loadedGroups({ pages }: InfiniteData<ErrorGroupList>): ErrorGroupListItem[] {
  const [first, ...others] = pages;
  if (first === undefined || others.length === 0) return first?.data ?? [];
  return [...new Map(pages.flatMap(({ data }) => data).map((group) => [group.id, group])).values()];
}

/** Whether the last loaded page is not the last one of the list. */
export const hasMoreGroups = (data: InfiniteData<ErrorGroupList> | undefined): boolean =>
  typeof data?.pages.at(-1)?.meta.next_cursor === "string";

export const errorGroupQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "one", id],
    queryFn: ({ signal }) => api.get<ErrorGroup>(`/api/projects/${projectId}/error-groups/${id}`, signal),
  });

/** While the filters change, the previous list stays on screen. With `keep` the list is fetched only if it is not cached. */
export function useErrorGroups(projectId: number | null, filter: ErrorGroupsFilter, keep: boolean) {
  return useInfiniteQuery({
    ...errorGroupsQuery(projectId, filter),
    placeholderData: keepPreviousData,
    enabled: (query) => !keep || query.state.data === undefined,
  });
}

/** The groups of one tab, for when the first page of all groups is not all of them. Fetched only when `needed`. */
export function useErrorGroupsOf(
  projectId: number | null,
  filter: ErrorGroupsFilter,
  tab: Pick<ErrorGroupsFilter, "status" | "regressed">,
  { needed, keep }: { needed: boolean; keep: boolean },
) {
  const ofTab = { ...tab, ...filter };
  return useInfiniteQuery({
    ...errorGroupsQuery(projectId, ofTab),
    placeholderData: (previous: InfiniteData<ErrorGroupList, string | null> | undefined, query) =>
      query?.queryKey[3].status === ofTab.status && query?.queryKey[3].regressed === ofTab.regressed
        ? previous
        : undefined,
    enabled: (query) => needed && (!keep || query.state.data === undefined),
  });
}

/**
 * The first page of the list without filters, for the choices of the filters. It is fetched once: a busy project changes
 * every second, so only the list on screen is kept fresh.
 */
export function useAllKnown(projectId: number | null): readonly ErrorGroupListItem[] | undefined {
  const { data } = useInfiniteQuery({
    ...errorGroupsQuery(projectId),
    enabled: (query) => query.state.data === undefined,
  });
  return data?.pages[0]?.data;
}

/** The group as a cached list has it, until its page has loaded. */
export function useListedGroup(id: number) {
  const client = useQueryClient();
  for (const query of queriesOf(client, "error_group").filter(({ queryKey }) => queryKey[2] === "list")) {
    const found = entitiesIn<"error_group">(query).find((group) => group.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The tags of the newest errors of a project, or of all projects the person can read. */
export const errorTagsQuery = (projectId: number | null) =>
  queryOptions({
    queryKey: ["error_tag", projectId],
    queryFn: ({ signal }) =>
      api.get<ErrorTags>(
        projectId === null ? "/api/error-groups/tags" : `/api/projects/${projectId}/error-groups/tags`,
        signal,
      ),
    staleTime: 60_000,
  });
