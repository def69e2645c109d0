import { type PointerEvent, useRef, useState } from "react";
import type { Person } from "../../shared/answers.ts";
import type { Epic } from "../../shared/epics.ts";
import { Avatar } from "../kit/avatar.tsx";
import { cx } from "../kit/cx.ts";
import { isPast } from "../kit/dates/days.ts";
import { percentDone, totalOf } from "./lane-counts.ts";
import { type BarPart, type EpicDates, shiftDates } from "./shift-dates.ts";
import type { Timeline } from "./timeline.ts";

type Props = {
  epic: Epic;
  owner: Person | null | undefined;
  timeline: Timeline;
  today: string;
  /** Called when the bar was dragged. Without it, it cannot be. */
  onMove: ((dates: EpicDates) => void) | undefined;
};

/** The pointer has moved too little to drag, in pixels. */
const STILL = 3;

/** An epic's bar with its progress and owner; a diamond is its due date. The bar and its ends can be dragged with a mouse or pen. */
export function TimelineBar({ epic, owner, timeline, today, onMove }: Props) {
  const { dragged, handlers } = useBarDrag(epic, timeline, onMove);
  const dates = dragged ?? epic;
  const bar = timeline.barOf(dates);
  if (bar === undefined)
    return <span className="absolute inset-y-0 start-2 flex items-center text-sm text-text-3">No dates</span>;

  const isDone = epic.state === "done";
  const isLate = !isDone && isPast(dates.ends_on, today);
  const total = totalOf(epic.issue_counts);
  return (
    <>
      <span
        data-bar=""
        {...handlers("whole")}
        className={cx(
          "absolute inset-y-2.5 flex min-w-1.5 items-center gap-1.5 overflow-hidden border px-2",
          dates.starts_on === null ? "border-s-0" : "rounded-s-md",
          dates.ends_on === null ? "border-e-0" : "rounded-e-md",
          isDone
            ? "border-resolved bg-resolved-tint"
            : isLate
              ? "border-warn bg-warn-tint"
              : "border-accent bg-accent-tint",
          onMove && "z-1 cursor-grab active:cursor-grabbing",
        )}
        style={{ insetInlineStart: `${bar.start}%`, width: `${bar.width}%` }}
      >
        <span
          className={cx("absolute inset-y-0 start-0 opacity-25", isDone ? "bg-resolved" : "bg-accent")}
          style={{ width: `${percentDone(epic.issue_counts)}%` }}
        />
        {owner && (
          <span className="relative flex">
            <Avatar person={owner} />
          </span>
        )}
        {total > 0 && (
          <span className="relative text-sm font-medium text-text">{percentDone(epic.issue_counts)}%</span>
        )}
        {onMove && dates.starts_on !== null && (
          <span {...handlers("start")} className="absolute inset-y-0 start-0 w-2 cursor-ew-resize" />
        )}
        {onMove && dates.ends_on !== null && (
          <span {...handlers("end")} className="absolute inset-y-0 end-0 w-2 cursor-ew-resize" />
        )}
      </span>
      {dates.ends_on !== null && (
        <span
          className={cx(
            "pointer-events-none absolute top-1/2 z-1 size-2.5 -translate-1/2 rotate-45 border border-surface",
            isDone ? "bg-resolved" : isLate ? "bg-warn" : "bg-accent",
          )}
          style={{ insetInlineStart: `${bar.start + bar.width}%` }}
        />
      )}
    </>
  );
}

/** The dates while a bar or one of its ends is dragged. A press without a movement opens the epic. */
function useBarDrag(epic: Epic, timeline: Timeline, onMove: Props["onMove"]) {
  const [dragged, setDragged] = useState<EpicDates>();
  const drag = useRef<{ part: BarPart; x: number; dayPx: number; hasMoved: boolean }>(undefined);
  const begin = (part: BarPart) => (event: PointerEvent<HTMLElement>) => {
    if (!onMove || event.button !== 0 || event.pointerType === "touch") return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    const width = event.currentTarget.closest("[data-days]")?.getBoundingClientRect().width ?? 1;
    drag.current = { part, x: event.clientX, dayPx: width / timeline.days, hasMoved: false };
  };
  const move = ({ clientX }: PointerEvent) => {
    const now = drag.current;
    if (!now || (!now.hasMoved && Math.abs(clientX - now.x) <= STILL)) return;
    now.hasMoved = true;
    setDragged(shiftDates(epic, now.part, Math.round((clientX - now.x) / now.dayPx)));
  };
  const end = (event: PointerEvent<HTMLElement>) => {
    const now = drag.current;
    drag.current = undefined;
    setDragged(undefined);
    if (now && !now.hasMoved) event.currentTarget.closest("li")?.querySelector("a")?.click();
    else if (dragged && (dragged.starts_on !== epic.starts_on || dragged.ends_on !== epic.ends_on))
      onMove?.(dragged);
  };
  const cancel = () => {
    drag.current = undefined;
    setDragged(undefined);
  };
  const handlers = (part: BarPart) => ({
    onPointerDown: begin(part),
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: cancel,
  });
  return { dragged, handlers };
}
