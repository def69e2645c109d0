import type { Issue } from "../../shared/issues.ts";
import type { Lane, LaneKind } from "../../shared/lanes.ts";

export type LaneCounts = Record<LaneKind, number>;

/** In the order of the bar: done first. */
export const KINDS = ["done", "doing", "todo", "backlog"] as const satisfies readonly LaneKind[];

const WORDS: Record<LaneKind, string> = {
  done: "done",
  doing: "in progress",
  todo: "to do",
  backlog: "in the backlog",
};

/** Counts issues by the kind of their lane. In a lane that is not cached, closed issues count as done, others as to do. */
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

export const openIn = (counts: LaneCounts): number => totalOf(counts) - counts.done;

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

/** Whole percent; at most 99 unless everything is done, and 0 without issues. */
export function percentDone(counts: LaneCounts): number {
  const total = totalOf(counts);
  if (total === 0) return 0;
  return counts.done === total ? 100 : Math.min(99, Math.round((counts.done / total) * 100));
}
