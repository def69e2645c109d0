import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { countKinds, type LaneCounts } from "../epics/lane-counts.ts";
import { compareText } from "../kit/compare-text.ts";

export type Sums = {
  counts: LaneCounts;
  /** Minutes; what is not estimated counts nothing, and is told by `unestimated`. */
  estimated: number;
  estimatedDone: number;
  unestimated: number;
};

export function sumsOf(issues: readonly Issue[], lanes: readonly Lane[]): Sums {
  const minutes = (of: readonly Issue[]) =>
    of.reduce((sum, { estimated_minutes }) => sum + (estimated_minutes ?? 0), 0);
  return {
    counts: countKinds(issues, lanes),
    estimated: minutes(issues),
    estimatedDone: minutes(issues.filter(({ closed_at }) => closed_at !== null)),
    unestimated: issues.filter(({ estimated_minutes }) => estimated_minutes === null).length,
  };
}

/** Active, then planned by their beginning (without one last), then closed, the last to end first. */
export function sprintsIn(sprints: readonly Sprint[], state: Sprint["state"]): Sprint[] {
  const found = sprints.filter((sprint) => sprint.state === state);
  return state === "closed"
    ? found.toSorted(
        (a, b) => compareText(b.ends_on ?? b.updated_at, a.ends_on ?? a.updated_at) || b.id - a.id,
      )
    : found.toSorted((a, b) => compareText(a.starts_on ?? "9", b.starts_on ?? "9") || a.id - b.id);
}

/** "Sprint 13" after "Sprint 12"; empty after a name that ends in no number. */
export function nameAfter(sprints: readonly Sprint[]): string {
  const last = sprints.toSorted((a, b) => a.id - b.id).at(-1)?.name;
  const found = /^(.*?)(\d{1,6})$/.exec(last ?? "Sprint 0");
  return found ? `${found[1]}${Number(found[2]) + 1}` : "";
}
