import { useState } from "react";
import { stored } from "../state/stored.ts";

const NONE: readonly number[] = [];

const collapsedIn = (projectId: number) =>
  stored(
    `collapsed-lanes:${projectId}`,
    (value) => (Array.isArray(value) ? value.filter((id): id is number => Number.isInteger(id)) : undefined),
    NONE,
  );

/** The ids of the lanes that are collapsed in this browser. */
export function useCollapsedLanes(projectId: number) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(
    () => new Set(collapsedIn(projectId).read()),
  );
  const toggle = (laneId: number) => {
    const next = new Set(collapsed);
    if (!next.delete(laneId)) next.add(laneId);
    setCollapsed(next);
    collapsedIn(projectId).write(next.size > 0 ? [...next] : NONE);
  };
  return { collapsed, toggle };
}
