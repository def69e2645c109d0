import { useState } from "react";
import { inStableOrder, orderOf, updateOrder } from "./stable-order.ts";

/**
 * Rows in the order they had when `key` last changed, so that live updates do not move them. Groups at the end are added
 * there. `newCount` groups have appeared elsewhere since; `refresh` shows them.
 */
export function useStableOrder<Group extends { id: number }>(groups: readonly Group[], key: string) {
  const [last, setOrder] = useState(() => orderOf(groups, key));
  const order = updateOrder(last, groups, key);
  if (order !== last) setOrder(order);
  return {
    ...inStableOrder(groups, order.ids),
    ids: order.ids,
    refresh: () => setOrder(orderOf(groups, key)),
  };
}
