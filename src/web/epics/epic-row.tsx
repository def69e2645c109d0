import { Link } from "@tanstack/react-router";
import { CalendarClock } from "lucide-react";
import type { Person } from "../../shared/answers.ts";
import type { Epic } from "../../shared/epics.ts";
import { nameOf } from "../data/projects/people.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { Day } from "../kit/dates/time.tsx";
import { isPast } from "../kit/dates/days.ts";
import { EpicMenu } from "./epic-menu.tsx";
import { percentDone, totalOf } from "./lane-counts.ts";
import { LaneProgress } from "./lane-progress.tsx";
import type { RowLinkProps } from "../lists/use-row-keys.ts";

type Props = {
  epic: Epic;
  projectKey: string;
  today: string;
  current: boolean;
  /** Null without one; undefined for someone who was deleted or cannot be seen. */
  owner: Person | null | undefined;
  row: RowLinkProps;
  onDeleted: () => void;
};

export function EpicRow({ epic, projectKey, today, current, owner, row, onDeleted }: Props) {
  const { title, issue_counts: counts } = epic;
  const total = totalOf(counts);
  return (
    <Row
      lines={2}
      current={current}
      end={
        <>
          {owner === null ? null : (
            <span title={`Owner: ${nameOf(owner)}`} className="flex">
              <span className="sr-only">Owner: </span>
              <Avatar person={owner ?? null} named />
            </span>
          )}
          <div className="flex w-40 items-center gap-3 max-sm:hidden lg:w-56">
            <LaneProgress counts={counts} className="flex-1" />
            <span aria-hidden className="w-9 text-end text-sm text-text-3">
              {total === 0 ? "—" : `${percentDone(counts)}%`}
            </span>
          </div>
          <EpicMenu epic={epic} onDeleted={onDeleted} />
        </>
      }
    >
      <div className="min-w-0">
        <div className="flex min-w-0 items-center gap-2">
          <Link
            {...row}
            to="/projects/$projectKey/epics/$epicId"
            params={{ projectKey, epicId: String(epic.id) }}
            className={rowLink}
            title={title}
            draggable={false}
          >
            <RowText>{title}</RowText>
          </Link>
          <EpicState epic={epic} today={today} />
        </div>
        <p className="truncate text-sm text-text-2">
          {total === 0 ? "No issues" : `${counts.done} of ${total} done`}
          <EpicDays epic={epic} />
        </p>
      </div>
    </Row>
  );
}

/** A badge for a done or overdue epic. */
export function EpicState({ epic, today }: { epic: Epic; today: string }) {
  if (epic.state === "done") return <Badge tone="resolved">Done</Badge>;
  if (isPast(epic.ends_on, today))
    return (
      <Badge tone="warn" icon={CalendarClock}>
        Overdue
      </Badge>
    );
  return null;
}

function EpicDays({ epic: { starts_on, ends_on } }: { epic: Epic }) {
  if (starts_on === null && ends_on === null) return null;
  return (
    <>
      {" · "}
      {starts_on === null ? "until " : <Day day={starts_on} />}
      {starts_on !== null && (ends_on === null ? " onward" : " – ")}
      {ends_on !== null && <Day day={ends_on} />}
    </>
  );
}
