import { useMemo, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { loadedGroups, useErrorGroups, useErrorGroupsOf } from "../data/errors/error-groups.ts";
import { useProjects } from "../data/projects/projects.ts";
import { countsIn, isEmptyList, mayLoadMore, needsOwnQuery } from "./list-pages.ts";
import { orderKey, viewKeyOf } from "./stable-order.ts";
import { useStableOrder } from "./use-stable-order.ts";
import { listFilter, shownGroups, tabOf, TABS, type View } from "./view.ts";

const NONE: never[] = [];

/**
 * The groups of a view in a stable order, with the counts of all tabs. With `cachedOnly`, nothing is fetched again that
 * the cache has, however old.
 */
export function useShownErrors(project: Project | null, view: View, { cachedOnly = false } = {}) {
  const { filter, list, groups, isEmptyEverywhere, counts } = useTabGroups(project, view, cachedOnly);
  const { tab } = view;
  const shown = useMemo(() => shownGroups(groups, { tab }), [groups, tab]);
  const viewKey = viewKeyOf(view);
  const [first, setFirst] = useState({ viewKey, wasStale: list.isStale });
  if (first.viewKey !== viewKey) setFirst({ viewKey, wasStale: list.isStale });
  const key = orderKey(viewKey, list, first.wasStale);
  const { rows, newCount, ids, refresh } = useStableOrder(shown, key);
  // An empty list has no rows to move.
  if (!cachedOnly && rows.length === 0 && newCount > 0) refresh();
  const loadMore = () => {
    if (mayLoadMore(list)) void list.fetchNextPage();
  };
  return { filter, list, groups, isEmptyEverywhere, rows, newCount, ids, refresh, counts, loadMore };
}

/**
 * One query serves all tabs, so that switching tabs is instant. If it has more pages, each other tab runs a query of its
 * own.
 */
function useTabGroups(project: Project | null, view: View, cachedOnly: boolean) {
  const filter = listFilter(view, { project, projects: useProjects() });
  const projectId = project?.id ?? null;
  const tab = tabOf(view);
  const all = useErrorGroups(projectId, filter, cachedOnly);
  const isPart = needsOwnQuery(tab, all.data);
  const needed = isPart && !all.isPlaceholderData;
  const ofTab = useErrorGroupsOf(projectId, filter, TABS[tab].filter, { needed, keep: cachedOnly });
  const list = isPart ? ofTab : all;
  // Until its own query has data, a tab shows its part of the other one.
  const { data = all.data } = list;
  const groups = useMemo(() => (data === undefined ? NONE : loadedGroups(data)), [data]);
  const counts = useMemo(() => countsIn(data, isPart ? tab : "all"), [data, isPart, tab]);
  return { filter, list, groups, isEmptyEverywhere: isEmptyList(all.data), counts };
}
