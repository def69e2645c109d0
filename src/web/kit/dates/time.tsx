import { createContext, use, useSyncExternalStore } from "react";
import { store, useStore } from "../../state/store.ts";
import { todayIn } from "./days.ts";
import {
  absoluteTime,
  calendarDay,
  dateText,
  dayText,
  printedTime,
  relativeTime,
  shortTime,
} from "./time-text.ts";

/** The reader's time zone from their profile; the browser's until that is loaded. */
export const TimeZoneContext = createContext(Intl.DateTimeFormat().resolvedOptions().timeZone);

type Props = {
  /** An ISO timestamp, possibly with microseconds. Null is shown as "—". */
  at: string | null;
  /**
   * `relative` (the default) is "5 minutes ago", `short` is "5m", `row` either of them, depending on the width of the
   * window, `date` the day, `full` the full date and time.
   */
  as?: "relative" | "short" | "row" | "date" | "full";
  /** What happened then, such as "Created". Shown before the exact time on hover, where nothing else says it. */
  of?: string;
  className?: string;
};

/** A time that updates as time passes, with the exact time on hover. */
export function Time({ at, as = "relative", of, className }: Props) {
  const timeZone = use(TimeZoneContext);
  const now = useNow();
  const shownOn = useStore(medium);
  if (at === null) return <span className={className}>—</span>;
  const full = absoluteTime(at, timeZone);
  const title = of === undefined ? full : `${of} ${full}`;
  if (shownOn !== "paper" && (as === "short" || (as === "row" && shownOn === "small")))
    return (
      <time dateTime={at} title={title} className={className}>
        <span aria-hidden>{shortTime(at, now, timeZone)}</span>
        <span className="sr-only">{relativeTime(at, now, timeZone)}</span>
      </time>
    );
  const text =
    shownOn === "paper"
      ? printedTime(at, timeZone)
      : as === "full"
        ? full
        : as === "date"
          ? dateText(at, now, timeZone)
          : relativeTime(at, now, timeZone);
  return (
    <time dateTime={at} title={title} className={className}>
      {text}
    </time>
  );
}

type Medium = "wide" | "small" | "paper";

const PAPER = matchMedia("print");
/** Too narrow for columns of words: the breakpoint `lg`. */
const SMALL = matchMedia("(width < 75rem)");
const mediumNow = (): Medium => (PAPER.matches ? "paper" : SMALL.matches ? "small" : "wide");
const medium = store(mediumNow(), () => {
  const read = () => medium.set(mediumNow());
  read();
  for (const query of [PAPER, SMALL]) query.addEventListener("change", read);
  return () => {
    for (const query of [PAPER, SMALL]) query.removeEventListener("change", read);
  };
});

/** A calendar day such as a due date, independent of time zones. */
export function Day({ day, className }: { day: string | null; className?: string }) {
  const timeZone = use(TimeZoneContext);
  const now = useNow();
  if (day === null) return <span className={className}>—</span>;
  return (
    <time dateTime={day.slice(0, 10)} title={dayText(day)} className={className}>
      {calendarDay(day, now, timeZone)}
    </time>
  );
}

/** The current time in steps of 30 seconds: one clock for every component. */
export function useNow(): number {
  return useStore(clock);
}

/** Today's date where the reader is. The component renders again on the next day only. */
export function useToday(): string {
  const timeZone = use(TimeZoneContext);
  return useSyncExternalStore(clock.subscribe, () => todayIn(timeZone, clock.get()));
}

const STEP_MS = 30_000;

// It never stops: a clock that starts with a page would render every time of the page twice.
const clock = store(Date.now());
setInterval(tick, STEP_MS);
document.addEventListener("visibilitychange", tick);

function tick() {
  if (!document.hidden) clock.set(Date.now());
}
