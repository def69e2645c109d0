import { useMemo, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { useErrorGroups } from "./queries.ts";
import { useHeldOrder } from "./use-held-order.ts";
import { useServerFilter } from "./use-view.ts";
import { shownGroups, tabCounts, type View } from "./view.ts";

const NONE: never[] = [];

/**
 * The groups of a view in a held order, with what is known of the whole list. With `keep`, what the cache has is enough,
 * however old.
 */
export function useShownErrors(project: Project | null, view: View, { keep = false } = {}) {
  const filter = useServerFilter(project, view);
  const list = useErrorGroups(project?.id ?? null, filter, keep);
  const { tab, sort, query, environment, release } = view;
  const groups = list.data?.data ?? NONE;
  const shown = useMemo(() => shownGroups(groups, { tab, sort }), [groups, tab, sort]);
  // What the cache had from earlier may be reordered once, by the answer that is on its way.
  const [wasStale] = useState(list.isStale);
  const refreshed = wasStale && list.isFetchedAfterMount;
  const key = [
    tab,
    sort,
    query,
    environment,
    release,
    view.project,
    list.isPending,
    list.isPlaceholderData,
    refreshed,
  ].join("\n");
  const { rows, waiting, ids, refresh } = useHeldOrder(shown, key);
  const counts = useMemo(() => tabCounts(groups), [groups]);
  return { list, groups, rows, waiting, ids, refresh, counts };
}
