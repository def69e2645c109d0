import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { countKinds, type LaneCounts } from "../epics/lane-counts.ts";
import { compareText } from "../kit/compare-text.ts";

export type Sums = {
  counts: LaneCounts;
  /** Minutes. */
  estimated: number;
  estimatedDone: number;
  /** The number of issues without an estimate. */
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

/** The sprints of a state: closed ones by end date, latest first; others by start date, those without one last. */
export function sprintsIn(sprints: readonly Sprint[], state: Sprint["state"]): Sprint[] {
  const found = sprints.filter((sprint) => sprint.state === state);
  return state === "closed"
    ? found.toSorted(
        (a, b) => compareText(b.ends_on ?? b.updated_at, a.ends_on ?? a.updated_at) || b.id - a.id,
      )
    : found.toSorted((a, b) => compareText(a.starts_on ?? "9", b.starts_on ?? "9") || a.id - b.id);
}

/** "Sprint 13" after "Sprint 12"; empty after a name that does not end in a number. */
export function nameAfter(sprints: readonly Sprint[]): string {
  const last = sprints.toSorted((a, b) => a.id - b.id).at(-1)?.name;
  const found = /^(.*?)(\d{1,6})$/.exec(last ?? "Sprint 0");
  return found ? `${found[1]}${Number(found[2]) + 1}` : "";
}
