import type { Report } from "../../shared/reports.ts";

/** Where a report is put: on an edge of another one. */
export type Beside = { edge: "before" | "after"; id: number };

/** The place of the report at `index` among the others of a list, however that list was filtered. */
export function besideIndex(shown: readonly Report[], id: number, index: number): Beside | undefined {
  const others = shown.filter((report) => report.id !== id);
  const at = others[index];
  if (at !== undefined) return { edge: "before", id: at.id };
  const last = others.at(-1);
  return last && { edge: "after", id: last.id };
}

/** The whole list with the report moved; the same list when one of the two is not in it, or nothing changes. */
export function withMoved(all: readonly Report[], id: number, beside: Beside): readonly Report[] {
  const report = all.find((one) => one.id === id);
  const others = all.filter((one) => one.id !== id);
  const target = others.findIndex((one) => one.id === beside.id);
  if (report === undefined || target === -1) return all;
  const moved = others.toSpliced(beside.edge === "before" ? target : target + 1, 0, report);
  return moved.every((one, index) => one.id === all[index]?.id) ? all : moved;
}

export type ReorderBody = { report_id: number; rank_before_id?: number; rank_after_id?: number };

/**
 * What the server is told of a report that stands where it shall in the whole list: who precedes it, dismissed and
 * promoted ones among them; at the very top who follows it.
 */
export function reorderBodyOf(all: readonly Report[], id: number): ReorderBody {
  const place = all.findIndex((report) => report.id === id);
  const before = all[place - 1];
  const after = all[place + 1];
  if (before !== undefined) return { report_id: id, rank_before_id: before.id };
  return { report_id: id, ...(after === undefined ? {} : { rank_after_id: after.id }) };
}
