import { CalendarClock } from "lucide-react";
import { use } from "react";
import type { Issue } from "../../shared/issues.ts";
import { cx } from "../kit/cx.ts";
import { isPast, todayIn } from "../kit/dates/days.ts";
import { Day, TimeZoneContext, useNow } from "../kit/dates/time.tsx";

/** The due date of an open issue, on a card or row. */
export function DueMark({ issue, className }: { issue: Issue; className?: string }) {
  const today = todayIn(use(TimeZoneContext), useNow());
  if (issue.due_on === null || issue.closed_at !== null) return null;
  const overdue = isPast(issue.due_on, today);
  return (
    <span
      className={cx(
        "flex shrink-0 items-center gap-1 text-sm",
        overdue ? "text-warn" : "text-text-3",
        className,
      )}
    >
      <CalendarClock aria-hidden size={12} />
      <span className="sr-only">{overdue ? "Overdue since " : "Due "}</span>
      <Day day={issue.due_on} />
    </span>
  );
}
