import type { Report } from "../../../shared/reports.ts";

/** Where to move a report: before or after another one. */
export type NeighborReport = { edge: "before" | "after"; id: number };

/** The target that moves a report to `index` among the other reports of a filtered list. */
export function targetAt(shown: readonly Report[], id: number, index: number): NeighborReport | undefined {
  const others = shown.filter((report) => report.id !== id);
  const at = others[index];
  if (at !== undefined) return { edge: "before", id: at.id };
  const last = others.at(-1);
  return last && { edge: "after", id: last.id };
}

/** The list with the report moved; the same list if one of the two is missing or nothing changes. */
export function withMoved(all: readonly Report[], id: number, target: NeighborReport): readonly Report[] {
  const report = all.find((one) => one.id === id);
  const others = all.filter((one) => one.id !== id);
  const index = others.findIndex((one) => one.id === target.id);
  if (report === undefined || index === -1) return all;
  const moved = others.toSpliced(target.edge === "before" ? index : index + 1, 0, report);
  return moved.every((one, index) => one.id === all[index]?.id) ? all : moved;
}

export type ReorderBody = { report_id: number; rank_before_id?: number; rank_after_id?: number };

/**
 * The request body for a report that is at its new position in the whole list: the report before it, which may be
 * dismissed or promoted, or at the top the one after it.
 */
export function reorderBodyOf(all: readonly Report[], id: number): ReorderBody {
  const index = all.findIndex((report) => report.id === id);
  const before = all[index - 1];
  const after = all[index + 1];
  if (before !== undefined) return { report_id: id, rank_before_id: before.id };
  return { report_id: id, ...(after === undefined ? {} : { rank_after_id: after.id }) };
}
