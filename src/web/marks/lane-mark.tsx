import type { LaneKind } from "../../shared/lanes.ts";
import { cx } from "../kit/cx.ts";
import { MarkIcon } from "./mark-icon.tsx";

export const LANE_KIND_WORDS: Record<LaneKind, string> = {
  backlog: "Backlog",
  todo: "To do",
  doing: "In progress",
  done: "Done",
};

/** A lane's name with an icon for its kind: dashed ring, ring, half ring or filled check. */
export function LaneMark({
  kind,
  name,
  compact = false,
}: {
  kind: LaneKind;
  name?: string;
  compact?: boolean;
}) {
  const word = name ?? LANE_KIND_WORDS[kind];
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5" title={compact ? word : undefined}>
      <MarkIcon className={cx("shrink-0", COLORS[kind])}>{SHAPES[kind]}</MarkIcon>
      <span className={compact ? "sr-only" : "truncate"}>{word}</span>
    </span>
  );
}

const COLORS: Record<LaneKind, string> = {
  backlog: "text-text-3",
  todo: "text-text-2",
  doing: "text-accent",
  done: "text-resolved",
};

const SHAPES = {
  backlog: <circle cx="8" cy="8" r="5.75" strokeDasharray="2.2 2.32" />,
  todo: <circle cx="8" cy="8" r="5.75" />,
  doing: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 4.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" stroke="none" />
    </>
  ),
  done: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
      <path d="m5.2 8.2 2 2 3.6-4.2" className="stroke-surface" strokeWidth="1.75" />
    </>
  ),
};
