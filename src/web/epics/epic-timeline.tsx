import { Link } from "@tanstack/react-router";
import { useLayoutEffect, useMemo, useRef } from "react";
import type { Epic } from "../../shared/epics.ts";
import { cx } from "../kit/cx.ts";
import { isPast } from "../kit/days.ts";
import { dayText } from "../kit/time-text.ts";
import { useRowKeys } from "../lists/use-row-keys.ts";
import { percentDone, progressText } from "./lane-counts.ts";
import { timelineOf } from "./timeline.ts";

const MONTH_PX = 96;

type Props = { label: string; epics: readonly Epic[]; projectKey: string; today: string };

/** Epics as bars over months. To screen readers it is a list of links that say the dates and the progress. */
export function EpicTimeline({ label, epics, projectKey, today }: Props) {
  const keys = useRowKeys(epics.length);
  const timeline = useMemo(() => timelineOf(epics, today), [epics, today]);
  const box = useRef<HTMLDivElement>(null);
  const now = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => showMiddle(box.current, now.current), []);
  return (
    <div ref={box} className="overflow-x-auto">
      <div id={keys.boxId} className="relative" style={{ minWidth: 200 + timeline.months.length * MONTH_PX }}>
        <div aria-hidden className="flex h-8 border-b border-line text-sm text-text-3">
          <span className={NAME} />
          <span className="relative flex-1">
            {timeline.months.map(({ name, start }) => (
              <span
                key={start}
                className="absolute top-1.5 ps-2 whitespace-nowrap"
                style={{ insetInlineStart: `${start}%` }}
              >
                {name}
              </span>
            ))}
            <span ref={now} className="absolute" style={{ insetInlineStart: `${timeline.today}%` }} />
          </span>
        </div>
        <ul aria-label={`Timeline of ${label.toLowerCase()}`}>
          {epics.map((epic, index) => (
            <li
              key={epic.id}
              className={cx(
                "relative flex h-11 border-b border-line",
                keys.cursor === index ? "bg-selected" : "hover:bg-hover",
              )}
            >
              <span className={cx(NAME, keys.cursor === index ? "bg-selected" : "bg-surface")}>
                <Link
                  {...keys.row(index)}
                  to="/projects/$projectKey/epics/$epicId"
                  params={{ projectKey, epicId: String(epic.id) }}
                  title={epic.title}
                  dir="auto"
                  aria-label={`${epic.title}, ${datesText(epic)}, ${progressText(epic.issue_counts)}`}
                  className="min-w-0 truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
                >
                  {epic.title}
                </Link>
              </span>
              <span aria-hidden className="relative flex-1">
                {timeline.months.map(({ start }) => (
                  <span
                    key={start}
                    className="absolute inset-y-0 border-s border-line"
                    style={{ insetInlineStart: `${start}%` }}
                  />
                ))}
                <Bar epic={epic} place={timeline.bars.get(epic.id)} today={today} />
                <span
                  data-today=""
                  className="absolute inset-y-0 border-s-2 border-accent"
                  style={{ insetInlineStart: `${timeline.today}%` }}
                />
              </span>
            </li>
          ))}
        </ul>
      </div>
      <p aria-hidden className="sticky start-0 flex w-fit items-center gap-2 px-4 py-2 text-sm text-text-3">
        <span className="h-3 border-s-2 border-accent" />
        Today, {dayText(today)}
      </p>
    </div>
  );
}

/** Scrolls the months so that this one is in the middle, if they do not fit. */
function showMiddle(box: HTMLElement | null, part: HTMLElement | null): void {
  if (!box || !part) return;
  const left = part.getBoundingClientRect().left - box.getBoundingClientRect().left;
  box.scrollLeft += left - box.clientWidth / 2;
}

type BarProps = { epic: Epic; place: { start: number; width: number } | undefined; today: string };

function Bar({ epic, place, today }: BarProps) {
  if (place === undefined)
    return <span className="absolute inset-y-0 start-2 flex items-center text-sm text-text-3">No dates</span>;
  const tone =
    epic.state === "done"
      ? "border-resolved bg-resolved-tint"
      : isPast(epic.ends_on, today)
        ? "border-warn bg-warn-tint"
        : "border-accent bg-accent-tint";
  return (
    <span
      className={cx(
        "absolute inset-y-3 min-w-1.5 overflow-hidden border",
        epic.starts_on === null ? "border-s-0" : "rounded-s-sm",
        epic.ends_on === null ? "border-e-0" : "rounded-e-sm",
        tone,
      )}
      style={{ insetInlineStart: `${place.start}%`, width: `${place.width}%` }}
    >
      <span
        className={cx(
          "absolute inset-y-0 start-0 opacity-60",
          epic.state === "done" ? "bg-resolved" : "bg-accent",
        )}
        style={{ width: `${percentDone(epic.issue_counts)}%` }}
      />
    </span>
  );
}

/** Stays in view while the months scroll. */
const NAME = "sticky start-0 z-2 flex w-50 shrink-0 items-center border-e border-line px-4 max-sm:w-36";

function datesText({ starts_on, ends_on }: Epic): string {
  if (starts_on === null && ends_on === null) return "no dates";
  if (ends_on === null) return `from ${dayText(starts_on ?? "")}`;
  return starts_on === null ? `until ${dayText(ends_on)}` : `${dayText(starts_on)} to ${dayText(ends_on)}`;
}
