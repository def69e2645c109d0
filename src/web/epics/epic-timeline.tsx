import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type Ref, useLayoutEffect, useMemo, useRef } from "react";
import type { Epic } from "../../shared/epics.ts";
import { useSetEpicDates } from "../data/projects/epics.ts";
import { usePeople } from "../data/projects/people.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { cx } from "../kit/cx.ts";
import { dayText } from "../kit/dates/time-text.ts";
import { toast } from "../kit/notices/toast.ts";
import { useRowKeys } from "../lists/use-row-keys.ts";
import { EpicMenu } from "./epic-menu.tsx";
import { progressText } from "./lane-counts.ts";
import { type EpicDates, shiftDates } from "./shift-dates.ts";
import { TimelineBar } from "./timeline-bar.tsx";
import { type Timeline, timelineOf } from "./timeline.ts";

const MONTH_PX = 96;

type Props = { label: string; epics: readonly Epic[]; projectKey: string; today: string };

/** Epics as bars over months. To screen readers it is a list of links that say the dates and the progress. */
export function EpicTimeline({ label, epics, projectKey, today }: Props) {
  const keys = useRowKeys(epics.length);
  const timeline = useMemo(() => timelineOf(epics, today), [epics, today]);
  const box = useRef<HTMLDivElement>(null);
  const now = useRef<HTMLSpanElement>(null);
  const mayUpdate = can(useProject(), "epics:update");
  useLayoutEffect(() => showMiddle(box.current, now.current), []);
  return (
    <div ref={box} className="overflow-x-auto">
      <div id={keys.boxId} className="relative" style={{ minWidth: 200 + timeline.months.length * MONTH_PX }}>
        <Months timeline={timeline} today={today} ref={now} />
        <ul aria-label={`Timeline of ${label.toLowerCase()}`}>
          {epics.map((epic, index) => (
            <TimelineRow
              key={epic.id}
              epic={epic}
              projectKey={projectKey}
              timeline={timeline}
              today={today}
              current={keys.cursor === index}
              row={keys.row(index)}
              onDeleted={keys.refocus}
            />
          ))}
        </ul>
      </div>
      {mayUpdate && (
        <p className="sticky start-0 w-fit px-4 py-2 text-sm text-text-3 pointer-coarse:hidden">
          Drag a bar or its ends to change dates, or press Alt with ← and →, and Shift for the end.
        </p>
      )}
    </div>
  );
}

/** The names of the months, and the mark of today, to which `ref` refers. */
function Months({ timeline, today, ref }: { timeline: Timeline; today: string; ref: Ref<HTMLSpanElement> }) {
  return (
    <div aria-hidden className="flex h-10 border-b border-line text-sm text-text-3">
      <span className={NAME} />
      <span className="relative flex-1">
        {timeline.months.map(({ name, start }) => (
          <span
            key={start}
            className="absolute top-0.5 ps-2 whitespace-nowrap"
            style={{ insetInlineStart: `${start}%` }}
          >
            {name}
          </span>
        ))}
        <span
          ref={ref}
          className="absolute bottom-0 -translate-x-1/2 rounded-sm bg-accent px-1 text-xs text-on-accent"
          style={{ insetInlineStart: `${timeline.today}%` }}
        >
          {dayText(today, false)}
        </span>
      </span>
    </div>
  );
}

type RowProps = {
  epic: Epic;
  projectKey: string;
  timeline: Timeline;
  today: string;
  current: boolean;
  row: ReturnType<ReturnType<typeof useRowKeys>["row"]>;
  onDeleted: () => void;
};

function TimelineRow({ epic, projectKey, timeline, today, current, row, onDeleted }: RowProps) {
  const project = useProject();
  const people = usePeople(project.id);
  const mayUpdate = can(project, "epics:update");
  const { move, moveByKey } = useMoveEpic(epic);
  return (
    <li
      className={cx(
        "group relative flex h-12 border-b border-line",
        current ? "bg-selected" : "hover:bg-hover",
      )}
    >
      <span className={cx(NAME, current ? "bg-selected" : "bg-surface")}>
        <Link
          {...row}
          to="/projects/$projectKey/epics/$epicId"
          params={{ projectKey, epicId: String(epic.id) }}
          title={epic.title}
          dir="auto"
          onKeyDown={mayUpdate ? moveByKey : undefined}
          aria-keyshortcuts={mayUpdate ? MOVE_KEYS : undefined}
          aria-label={`${epic.title}, ${datesText(epic)}, ${progressText(epic.issue_counts)}`}
          className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
        >
          {epic.title}
        </Link>
        <span className="relative z-1 -me-3 flex">
          <EpicMenu epic={epic} onDeleted={onDeleted} />
        </span>
      </span>
      <span aria-hidden data-days="" className="relative flex-1">
        {timeline.months.map(({ start }) => (
          <span
            key={start}
            className="absolute inset-y-0 border-s border-line"
            style={{ insetInlineStart: `${start}%` }}
          />
        ))}
        <TimelineBar
          epic={epic}
          owner={epic.owner_id === null ? null : people.of(epic.owner_id)}
          timeline={timeline}
          today={today}
          onMove={mayUpdate ? move : undefined}
        />
        <span
          data-today=""
          className="pointer-events-none absolute inset-y-0 border-s border-accent"
          style={{ insetInlineStart: `${timeline.today}%` }}
        />
      </span>
    </li>
  );
}

/** Changes the dates of an epic, with a message that can undo it. */
function useMoveEpic(epic: Epic) {
  const { mutateAsync } = useSetEpicDates(epic.project_id);
  const move = (dates: EpicDates) => {
    const { id, starts_on, ends_on } = epic;
    mutateAsync({ id, ...dates }).then(
      () =>
        toast({
          title: `“${epic.title}” is planned ${datesText(dates)}`,
          tone: "success",
          subjects: [`epic:${id}`],
          undo: () => mutateAsync({ id, starts_on, ends_on }),
        }),
      // A message has been shown already.
      () => {},
    );
  };
  const moveByKey = (event: KeyboardEvent) => {
    const days = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!event.altKey || days === undefined) return;
    event.preventDefault();
    if (event.repeat) return;
    const dates = shiftDates(epic, event.shiftKey ? "end" : "whole", days);
    if (dates.starts_on !== epic.starts_on || dates.ends_on !== epic.ends_on) move(dates);
  };
  return { move, moveByKey };
}

/** Scrolls the months so that this one is in the middle, if they do not fit. */
function showMiddle(box: HTMLElement | null, part: HTMLElement | null): void {
  if (!box || !part) return;
  const left = part.getBoundingClientRect().left - box.getBoundingClientRect().left;
  box.scrollLeft += left - box.clientWidth / 2;
}

const MOVE_KEYS = "Alt+ArrowLeft Alt+ArrowRight Alt+Shift+ArrowLeft Alt+Shift+ArrowRight";

/** Stays in view while the months scroll. */
const NAME = "sticky start-0 z-2 flex w-50 shrink-0 items-center border-e border-line px-4 max-sm:w-36";

function datesText({ starts_on, ends_on }: EpicDates): string {
  if (starts_on === null && ends_on === null) return "no dates";
  if (ends_on === null) return `from ${dayText(starts_on ?? "")}`;
  return starts_on === null ? `until ${dayText(ends_on)}` : `${dayText(starts_on)} to ${dayText(ends_on)}`;
}
