import type { InfiniteData } from "@tanstack/react-query";
import type { ErrorGroupList } from "../../shared/error-groups.ts";
import { hasMoreGroups, loadedGroups } from "../data/errors/error-groups.ts";
import { type Tab, tabCounts } from "./view.ts";

type Pages = InfiniteData<ErrorGroupList> | undefined;

/** Whether a tab needs a query of its own, because the query of all tabs has further pages. */
export const needsOwnQuery = (tab: Tab, all: Pages): boolean => tab !== "all" && hasMoreGroups(all);

/** Whether the project, or all projects, have no error in any tab. */
export const isEmptyList = (all: Pages): boolean => all?.pages[0]?.data.length === 0;

/** The counts of the tabs. Without the last page they are unknown, since groups on later pages count as well. */
export const countsIn = (pages: Pages, tab: Tab): Partial<Record<Tab, number>> =>
  pages === undefined || hasMoreGroups(pages) ? {} : tabCounts(loadedGroups(pages), tab);

type Loading = { hasNextPage: boolean; isFetching: boolean; isFetchNextPageError: boolean };

/**
 * Whether scrolling to the end loads the next page. During a refetch it does not: fetching a page would cancel it, and
 * changed rows would stay stale. After a failure the user decides.
 */
export const mayLoadMore = (list: Loading): boolean =>
  list.hasNextPage && !list.isFetching && !list.isFetchNextPageError;
