import { useState } from "react";
import { idsAfter, inStableOrder } from "./view.ts";

/**
 * Rows in the order they had when `key` last changed, so that live updates do not move them. Groups at the end are added
 * there. `newCount` groups have appeared elsewhere since; `refresh` shows them.
 */
export function useStableOrder<Group extends { id: number }>(groups: readonly Group[], key: string) {
  const [order, setOrder] = useState(() => ({ key, ids: idsOf(groups) }));
  const added = order.key === key ? idsAfter(groups, order.ids) : [];
  if (order.key !== key) setOrder({ key, ids: idsOf(groups) });
  else if (added.length > 0) setOrder({ key, ids: [...order.ids, ...added] });
  const { rows, newCount } = inStableOrder(groups, order.key === key ? order.ids : idsOf(groups));
  return { rows, newCount, ids: order.ids, refresh: () => setOrder({ key, ids: idsOf(groups) }) };
}

const idsOf = (groups: readonly { id: number }[]) => groups.map(({ id }) => id);
