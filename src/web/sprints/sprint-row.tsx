import { Link } from "@tanstack/react-router";
import { CalendarClock } from "lucide-react";
import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { isPast } from "../kit/dates/days.ts";
import { percentDone, progressText, totalOf } from "../epics/lane-counts.ts";
import { estimateText } from "../marks/estimate.ts";
import type { RowLinkProps } from "../lists/use-row-keys.ts";
import { Badge } from "../kit/badge.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { Day } from "../kit/dates/time.tsx";
import { tooltip } from "../kit/tooltip.ts";
import { SprintSpark } from "./sprint-spark.tsx";
import { SprintActions } from "./sprint-actions.tsx";
import { sumsOf } from "./sprint-sums.ts";

type Props = {
  sprint: Sprint;
  projectKey: string;
  issues: readonly Issue[] | undefined;
  lanes: readonly Lane[];
  today: string;
  current: boolean;
  row: RowLinkProps;
  onDeleted: () => void;
};

export function SprintRow({ sprint, projectKey, issues, lanes, today, current, row, onDeleted }: Props) {
  const sums = issues && sumsOf(issues, lanes);
  const total = sums && totalOf(sums.counts);
  return (
    <Row
      lines={2}
      current={current}
      end={
        <>
          {issues && sums && (
            <span className="flex items-center gap-3 max-sm:hidden" {...tooltip(progressText(sums.counts))}>
              <SprintSpark sprint={sprint} issues={issues} />
              <span aria-hidden className="w-9 text-end text-sm text-text-2">
                {total === 0 ? "—" : `${percentDone(sums.counts)}%`}
              </span>
            </span>
          )}
          {/* The same width in all rows, so that the charts are below each other. */}
          <span className="flex items-center justify-end gap-3 sm:w-28">
            <SprintActions sprint={sprint} issues={issues} size="sm" onDeleted={onDeleted} />
          </span>
        </>
      }
    >
      <div className="min-w-0">
        <div className="flex min-w-0 items-center gap-2">
          <Link
            {...row}
            to="/projects/$projectKey/sprints/$sprintId"
            params={{ projectKey, sprintId: String(sprint.id) }}
            className={rowLink}
            title={sprint.name}
            draggable={false}
          >
            <RowText>{sprint.name}</RowText>
          </Link>
          <Overdue sprint={sprint} today={today} />
        </div>
        <p className="truncate text-sm text-text-2">
          <SprintDays sprint={sprint} />
          {total === 0 && " · no issues"}
          {sums && total !== 0 && ` · ${sums.counts.done} of ${total} done`}
          {sums && sums.estimated > 0 && ` · ${estimateText(sums.estimated)} estimated`}
        </p>
      </div>
    </Row>
  );
}

/** "16 Nov 2026 – 29 Nov 2026". */
export function SprintDays({ sprint: { starts_on, ends_on } }: { sprint: Sprint }) {
  if (starts_on === null && ends_on === null) return <span>No dates yet</span>;
  return (
    <span>
      {starts_on === null ? "until " : <Day day={starts_on} />}
      {starts_on !== null && (ends_on === null ? " onward" : " – ")}
      {ends_on !== null && <Day day={ends_on} />}
    </span>
  );
}

export function Overdue({ sprint, today }: { sprint: Sprint; today: string }) {
  if (sprint.state !== "active" || !isPast(sprint.ends_on, today)) return null;
  return (
    <Badge tone="warn" icon={CalendarClock}>
      Overdue
    </Badge>
  );
}
