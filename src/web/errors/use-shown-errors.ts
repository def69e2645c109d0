import { useMemo, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { useErrorGroups, useErrorGroupsOf } from "../data/error-groups.ts";
import { useStableOrder } from "./use-stable-order.ts";
import { useServerFilter } from "./use-view.ts";
import { shownGroups, tabCounts, tabOf, TABS, type View, VIEW_PARAMETERS } from "./view.ts";

const NONE: never[] = [];

/**
 * The groups of a view in a stable order, with the counts of all tabs. With `cachedOnly`, nothing is fetched again that
 * the cache has, however old.
 */
export function useShownErrors(project: Project | null, view: View, { cachedOnly = false } = {}) {
  const { list, groups, isEmptyEverywhere, isTruncated, counts } = useTabGroups(project, view, cachedOnly);
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
  return { list, groups, isEmptyEverywhere, isTruncated, rows, newCount, ids, refresh, counts };
}

/**
 * One query serves all tabs, so that switching tabs is instant. If it is truncated, the tab of a status runs a query of
 * its own.
 */
function useTabGroups(project: Project | null, view: View, cachedOnly: boolean) {
  const filter = useServerFilter(project, view);
  const projectId = project?.id ?? null;
  const { status } = TABS[tabOf(view)];
  const all = useErrorGroups(projectId, filter, cachedOnly);
  const isPart = status !== undefined && all.data?.meta.truncated === true;
  const needed = isPart && !all.isPlaceholderData;
  const ofStatus = useErrorGroupsOf(projectId, filter, status, { needed, keep: cachedOnly });
  const list = isPart ? ofStatus : all;
  // Until its own query has data, a tab shows its part of the truncated list.
  const data = list.data ?? all.data;
  const groups = data?.data ?? NONE;
  const isTruncated = data?.meta.truncated === true;
  const counted = isPart ? status : undefined;
  const counts = useMemo(
    () => (isTruncated ? {} : tabCounts(groups, counted)),
    [isTruncated, groups, counted],
  );
  return { list, groups, isEmptyEverywhere: all.data?.data.length === 0, isTruncated, counts };
}
