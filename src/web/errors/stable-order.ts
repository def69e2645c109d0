import { type View, VIEW_PARAMETERS } from "./view.ts";

/** The order in which the rows are shown. It is taken anew when `key` changes. */
type Order = { key: string; ids: readonly number[] };

type Identified = { id: number };

export const orderOf = (groups: readonly Identified[], key: string): Order => ({
  key,
  ids: groups.map(({ id }) => id),
});

/** The order for these groups. Groups after the last known one, such as the next page, are added: they move no rows. */
export function updateOrder(order: Order, groups: readonly Identified[], key: string): Order {
  if (order.key !== key) return orderOf(groups, key);
  const added = idsAfter(groups, order.ids);
  return added.length === 0 ? order : { key, ids: [...order.ids, ...added] };
}

function idsAfter(groups: readonly Identified[], ids: readonly number[]): number[] {
  const known = new Set(ids);
  const last = groups.findLastIndex(({ id }) => known.has(id));
  return last === -1 ? [] : groups.slice(last + 1).map(({ id }) => id);
}

/** The groups that are in `ids`, in that order, and how many others there are. */
export function inStableOrder<Group extends Identified>(
  groups: readonly Group[],
  ids: readonly number[],
): { rows: Group[]; newCount: number } {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  return { rows, newCount: groups.length - rows.length };
}

/** Identifies a view: what selects and sorts its groups. */
export const viewKeyOf = (view: View): string => VIEW_PARAMETERS.map((name) => view[name] ?? "").join("\n");

/** The state of a query that decides when the order is taken. */
type Loading = { isPending: boolean; isPlaceholderData: boolean; isFetchedAfterMount: boolean };

/**
 * The key of an order: it changes with the view and when the view's own groups arrive. Cached groups that were stale when
 * the view opened may be reordered once, by the response that is in flight.
 */
export function orderKey(viewKey: string, list: Loading, wasStale: boolean): string {
  const isRefreshed = wasStale && list.isFetchedAfterMount;
  return [viewKey, list.isPending, list.isPlaceholderData, isRefreshed].join("\n");
}
