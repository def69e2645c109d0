import { useState } from "react";
import { inHeldOrder } from "./view.ts";

/**
 * Rows that do not move by themselves: they keep the order they had when `key` last changed. What has come since is
 * `waiting` until `refresh`.
 */
export function useHeldOrder<Group extends { id: number }>(groups: readonly Group[], key: string) {
  const [held, setHeld] = useState(() => ({ key, ids: idsOf(groups) }));
  if (held.key !== key) setHeld({ key, ids: idsOf(groups) });
  const { rows, waiting } = inHeldOrder(groups, held.key === key ? held.ids : idsOf(groups));
  return { rows, waiting, ids: held.ids, refresh: () => setHeld({ key, ids: idsOf(groups) }) };
}

const idsOf = (groups: readonly { id: number }[]) => groups.map(({ id }) => id);
