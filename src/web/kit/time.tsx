import { createContext, use, useSyncExternalStore } from "react";
import { absoluteTime, dateText, dayText, relativeTime } from "./time-text.ts";

/** The time zone of whoever reads, from their profile; the browser's until it is known. */
export const TimeZoneContext = createContext(Intl.DateTimeFormat().resolvedOptions().timeZone);

type Props = {
  /** An ISO timestamp, microseconds allowed. Null is "—". */
  at: string | null;
  /** `relative` (the default) says "5 min. ago"; `date` the day; `full` everything. */
  as?: "relative" | "date" | "full";
  className?: string;
};

/** A moment, in words that keep up with the clock; hovered, to the second. */
export function Time({ at, as = "relative", className }: Props) {
  const timeZone = use(TimeZoneContext);
  const now = useNow();
  if (at === null) return <span className={className}>—</span>;
  const full = absoluteTime(at, timeZone);
  const text =
    as === "full" ? full : as === "date" ? dateText(at, now, timeZone) : relativeTime(at, now, timeZone);
  return (
    <time dateTime={at} title={full} className={className}>
      {text}
    </time>
  );
}

/** A calendar day such as a due date: no time zone moves it. */
export function Day({ day, className }: { day: string | null; className?: string }) {
  if (day === null) return <span className={className}>—</span>;
  return (
    <time dateTime={day.slice(0, 10)} className={className}>
      {dayText(day)}
    </time>
  );
}

/** The time, in steps of half a minute: one clock for every component. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

const STEP_MS = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, STEP_MS);
    document.addEventListener("visibilitychange", tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
  };
}

function tick() {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}
