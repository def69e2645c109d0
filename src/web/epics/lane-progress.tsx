import type { LaneKind } from "../../shared/lanes.ts";
import { cx } from "../kit/cx.ts";
import { LaneMark } from "../marks/lane-mark.tsx";
import { tooltip } from "../kit/tooltip.ts";
import { KINDS, type LaneCounts, progressText, totalOf } from "./lane-counts.ts";

const FILLS: Record<LaneKind, string> = {
  done: "bg-resolved",
  doing: "bg-accent",
  todo: "bg-line-strong",
  backlog: "bg-line",
};

/** A bar of issues by the kind of their lane, labeled with the numbers. */
export function LaneProgress({ counts, className }: { counts: LaneCounts; className?: string }) {
  const total = totalOf(counts);
  const text = progressText(counts);
  return (
    <div
      role="img"
      aria-label={text}
      {...tooltip(text)}
      className={cx(
        "flex h-1.5 gap-px overflow-hidden rounded-full bg-sunken forced-colors:h-2.5 forced-colors:border",
        className,
      )}
    >
      {total > 0 &&
        KINDS.filter((kind) => counts[kind] > 0).map((kind) => (
          <span key={kind} className={FILLS[kind]} style={{ width: `${(counts[kind] / total) * 100}%` }} />
        ))}
    </div>
  );
}

/** The numbers of the bar, each beside its mark. */
export function LaneLegend({ counts, className }: { counts: LaneCounts; className?: string }) {
  return (
    <dl className={cx("flex flex-wrap gap-x-4 gap-y-1 text-sm text-text-2", className)}>
      {KINDS.map((kind) => (
        <div key={kind} className="flex items-center gap-1.5">
          <dt className="flex">
            <LaneMark kind={kind} />
          </dt>
          <dd className="font-medium text-text">{counts[kind]}</dd>
        </div>
      ))}
    </dl>
  );
}
