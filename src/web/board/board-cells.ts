import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";

/** A row of a grouped board. Without grouping there is one row without a name. */
export type Swim = { key: string; id: number | null; name: string; isEmpty?: boolean };

/** A lane within a swim lane, with the ids of its shown cards and the number of hidden ones. */
export type Cell = { id: string; name: string; lane: Lane; swim: Swim; items: string[]; hidden: number };

export type Grouping = "epic" | "assignee";

export const SINGLE_SWIM: Swim = { key: "", id: null, name: "" };

const DAY_MS = 86_400_000;
const MAX_DONE_DAYS = 30;
const MAX_DONE = 50;

const cellId = (swim: Swim, laneId: number) => `${swim.key}/${laneId}`;

export const fieldOf = (grouping: Grouping) => (grouping === "epic" ? "epic_id" : "assignee_id");

/**
 * The cards of each cell, in the order of their lane. A lane of the kind `done` shows only the latest 50 cards that were
 * closed in the last 30 days, unless `showAllDone` is set; the others are counted as `hidden`.
 */
export function cellsOf(
  lanes: readonly Lane[],
  swims: readonly Swim[],
  issues: readonly Issue[],
  options: { grouping: Grouping | undefined; showAllDone: boolean; now: number },
): Cell[] {
  const { grouping, showAllDone, now } = options;
  const cells = new Map<string, { issues: Issue[]; lane: Lane; swim: Swim }>();
  for (const swim of swims)
    for (const lane of lanes) cells.set(cellId(swim, lane.id), { issues: [], lane, swim });
  const swimById = new Map(swims.map((swim) => [swim.id, swim]));
  for (const issue of issues) {
    const swim = grouping === undefined ? swims[0] : swimById.get(issue[fieldOf(grouping)]);
    if (swim) cells.get(cellId(swim, issue.lane_id))?.issues.push(issue);
  }
  return [...cells].map(([id, { issues: all, lane, swim }]) => {
    const shown = lane.kind === "done" && !showAllDone ? recent(all, now) : all;
    return {
      id,
      name: swim.name === "" ? lane.name : `${lane.name}, ${swim.name}`,
      lane,
      swim,
      items: shown.map((issue) => String(issue.id)),
      hidden: all.length - shown.length,
    };
  });
}

function recent(issues: readonly Issue[], now: number): readonly Issue[] {
  const since = now - MAX_DONE_DAYS * DAY_MS;
  const newer = issues.filter(({ closed_at }) => closed_at === null || Date.parse(closed_at) >= since);
  if (newer.length <= MAX_DONE) return newer;
  const latest = new Set(
    newer
      .toSorted((a, b) => ((a.closed_at ?? "") < (b.closed_at ?? "") ? 1 : -1))
      .slice(0, MAX_DONE)
      .map(({ id }) => id),
  );
  return newer.filter(({ id }) => latest.has(id));
}
