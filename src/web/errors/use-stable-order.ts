import { useState } from "react";
import { inStableOrder } from "./view.ts";

/**
 * Rows in the order they had when `key` last changed, so that live updates do not move them. `newCount` groups have
 * appeared since; `refresh` shows them.
 */
export function useStableOrder<Group extends { id: number }>(groups: readonly Group[], key: string) {
  const [order, setOrder] = useState(() => ({ key, ids: idsOf(groups) }));
  if (order.key !== key) setOrder({ key, ids: idsOf(groups) });
  const { rows, newCount } = inStableOrder(groups, order.key === key ? order.ids : idsOf(groups));
  return { rows, newCount, ids: order.ids, refresh: () => setOrder({ key, ids: idsOf(groups) }) };
}

const idsOf = (groups: readonly { id: number }[]) => groups.map(({ id }) => id);
