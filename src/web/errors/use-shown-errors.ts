import { useMemo, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import {
  hasMoreGroups,
  loadedGroups,
  useErrorGroups,
  useErrorGroupsOf,
} from "../data/errors/error-groups.ts";
import { useStableOrder } from "./use-stable-order.ts";
import { useServerFilter } from "./use-view.ts";
import { shownGroups, tabCounts, tabOf, TABS, type View, VIEW_PARAMETERS } from "./view.ts";

const NONE: never[] = [];

/**
 * The groups of a view in a stable order, with the counts of all tabs. With `cachedOnly`, nothing is fetched again that
 * the cache has, however old.
 */
export function useShownErrors(project: Project | null, view: View, { cachedOnly = false } = {}) {
  const { list, groups, isEmptyEverywhere, counts } = useTabGroups(project, view, cachedOnly);
  const { tab } = view;
  const shown = useMemo(() => shownGroups(groups, { tab }), [groups, tab]);
  const viewKey = VIEW_PARAMETERS.map((name) => view[name] ?? "").join("\n");
  // Cached rows may be reordered once, by the response that is in flight.
  const [first, setFirst] = useState({ viewKey, wasStale: list.isStale });
  if (first.viewKey !== viewKey) setFirst({ viewKey, wasStale: list.isStale });
  const refreshed = first.wasStale && list.isFetchedAfterMount;
  const key = [viewKey, list.isPending, list.isPlaceholderData, refreshed].join("\n");
  const { rows, newCount, ids, refresh } = useStableOrder(shown, key);
  // An empty list has no rows to move.
  if (!cachedOnly && rows.length === 0 && newCount > 0) refresh();
  // Fetching a page would cancel a refetch in flight, and changed rows would stay stale.
  const loadMore = () => {
    if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage();
  };
  return { list, groups, isEmptyEverywhere, rows, newCount, ids, refresh, counts, loadMore };
}

/**
 * One query serves all tabs, so that switching tabs is instant. If it has more pages, each other tab runs a query of its
 * own.
 */
function useTabGroups(project: Project | null, view: View, cachedOnly: boolean) {
  const filter = useServerFilter(project, view);
  const projectId = project?.id ?? null;
  const tab = tabOf(view);
  const all = useErrorGroups(projectId, filter, cachedOnly);
  const isPart = tab !== "all" && hasMoreGroups(all.data);
  const needed = isPart && !all.isPlaceholderData;
  const ofTab = useErrorGroupsOf(projectId, filter, TABS[tab].filter, { needed, keep: cachedOnly });
  const list = isPart ? ofTab : all;
  // Until its own query has data, a tab shows its part of the other one.
  const { data = all.data } = list;
  const groups = useMemo(() => (data === undefined ? NONE : loadedGroups(data)), [data]);
  const isComplete = data !== undefined && !hasMoreGroups(data);
  const counts = useMemo(
    () => (isComplete ? tabCounts(groups, isPart ? tab : "all") : {}),
    [isComplete, groups, isPart, tab],
  );
  const isEmptyEverywhere = all.data?.pages[0]?.data.length === 0;
  return { list, groups, isEmptyEverywhere, counts };
}
