import type { Issue } from "../../shared/issues.ts";
import type { Lane, LaneKind } from "../../shared/lanes.ts";

export type LaneCounts = Record<LaneKind, number>;

/** The most finished first, as bars are filled. */
export const KINDS = ["done", "doing", "todo", "backlog"] as const satisfies readonly LaneKind[];

const WORDS: Record<LaneKind, string> = {
  done: "done",
  doing: "in progress",
  todo: "to do",
  backlog: "in the backlog",
};

/** Issues by the kind of the lane they stand in; one in a lane that is not known here counts by whether it is closed. */
export function countKinds(
  issues: readonly Pick<Issue, "lane_id" | "closed_at">[],
  lanes: readonly Lane[],
): LaneCounts {
  const kinds = new Map(lanes.map(({ id, kind }) => [id, kind]));
  const counts: LaneCounts = { backlog: 0, todo: 0, doing: 0, done: 0 };
  for (const { lane_id, closed_at } of issues)
    counts[kinds.get(lane_id) ?? (closed_at === null ? "todo" : "done")]++;
  return counts;
}

export const totalOf = (counts: LaneCounts): number => KINDS.reduce((sum, kind) => sum + counts[kind], 0);

/** "5 of 12 done, 3 in progress, 4 to do"; kinds without issues are left out. */
export function progressText(counts: LaneCounts): string {
  const total = totalOf(counts);
  if (total === 0) return "No issues";
  const others = KINDS.filter((kind) => kind !== "done" && counts[kind] > 0);
  return [`${counts.done} of ${total} done`, ...others.map((kind) => `${counts[kind]} ${WORDS[kind]}`)].join(
    ", ",
  );
}

/** Whole percent; nothing of nothing is 0, and 100 only when all is done. */
export function percentDone(counts: LaneCounts): number {
  const total = totalOf(counts);
  return total === 0 ? 0 : Math.floor((counts.done / total) * 100);
}
