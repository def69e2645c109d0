import { useMemo, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { useErrorGroups, useErrorGroupsOf } from "../data/error-groups.ts";
import { useHeldOrder } from "./use-held-order.ts";
import { useServerFilter } from "./use-view.ts";
import { shownGroups, tabCounts, tabOf, TABS, type View } from "./view.ts";

const NONE: never[] = [];

/**
 * The groups of a view in a held order, with what is known of the whole list. With `keep`, what the cache has is enough,
 * however old.
 */
export function useShownErrors(project: Project | null, view: View, { keep = false } = {}) {
  const { list, groups, isBare, isCut, counts } = useListed(project, view, keep);
  const { tab, sort, query, environment, release } = view;
  const shown = useMemo(() => shownGroups(groups, { tab, sort }), [groups, tab, sort]);
  const viewKey = [tab, sort, query, environment, release, view.project].join("\n");
  // What the cache had from earlier may be reordered once, by the answer that is on its way.
  const [first, setFirst] = useState({ viewKey, wasStale: list.isStale });
  if (first.viewKey !== viewKey) setFirst({ viewKey, wasStale: list.isStale });
  const refreshed = first.wasStale && list.isFetchedAfterMount;
  const key = [viewKey, list.isPending, list.isPlaceholderData, refreshed].join("\n");
  const { rows, waiting, ids, refresh } = useHeldOrder(shown, key);
  // Where nothing is listed nothing can move.
  if (!keep && rows.length === 0 && waiting > 0) refresh();
  return { list, groups, isBare, isCut, rows, waiting, ids, refresh, counts };
}

/**
 * One list has the groups of all tabs, so that going from one to another takes no time. Where there are more than the
 * server lists at a time, each tab has a list of its own.
 */
function useListed(project: Project | null, view: View, keep: boolean) {
  const filter = useServerFilter(project, view);
  const projectId = project?.id ?? null;
  const { status } = TABS[tabOf(view)];
  const all = useErrorGroups(projectId, filter, keep);
  const isPart = status !== undefined && all.data?.meta.truncated === true;
  const needed = isPart && !all.isPlaceholderData;
  const ofStatus = useErrorGroupsOf(projectId, filter, status, { needed, keep });
  const list = isPart ? ofStatus : all;
  // Until its own list comes, a tab has what the list of all knows of it.
  const data = list.data ?? all.data;
  const groups = data?.data ?? NONE;
  const isCut = data?.meta.truncated === true;
  const counted = isPart ? status : undefined;
  const counts = useMemo(() => (isCut ? {} : tabCounts(groups, counted)), [isCut, groups, counted]);
  return { list, groups, isBare: all.data?.data.length === 0, isCut, counts };
}
