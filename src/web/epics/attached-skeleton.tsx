import { Skeleton } from "../kit/skeleton.tsx";
import { KINDS, type LaneCounts, totalOf } from "./lane-counts.ts";

const ROW = 40;
const MAX_HEIGHT = 640;
/** Room for the selection bar. */
const MIN_HEIGHT = 200;

/** The height of a list with this many rows and headings, which scrolls if it has many. */
export const heightOf = (lines: number, least = MIN_HEIGHT): number =>
  Math.min(MAX_HEIGHT, Math.max(least, lines * ROW + 2));

/** Known only for an epic, and not needed for a sprint, whose page has nothing below the list. */
type Props = { counts: LaneCounts | undefined };

/** Placeholder for the issues of an epic or a sprint, as high as their list, so that nothing below it moves. */
export function AttachedSkeleton({ counts }: Props) {
  const lines = counts ? totalOf(counts) + KINDS.filter((kind) => counts[kind] > 0).length : 5;
  return (
    <div
      className="overflow-hidden rounded-md border border-line bg-surface"
      style={{ height: heightOf(lines) + 2 }}
    >
      <Skeleton rows={lines} label="Loading issues" />
    </div>
  );
}

/** The same while the code of the list loads. */
export const AttachedFallback = ({ counts }: Props) => (
  <div className="flex flex-col gap-2">
    <h2 className="min-h-7 font-semibold">Issues</h2>
    <AttachedSkeleton counts={counts} />
  </div>
);
