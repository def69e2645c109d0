import { Link } from "@tanstack/react-router";
import { CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { Badge } from "../kit/badge.tsx";
import { Count } from "../kit/count.tsx";
import { countOf } from "../kit/count-text.ts";
import { DayStrip } from "../kit/day-strip.tsx";
import { RowCheckbox } from "../lists/row-checkbox.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { StateMark } from "../kit/state-mark.tsx";
import { Time } from "../kit/time.tsx";
import type { ListRowProps } from "../lists/virtual-list.tsx";
import { isRegressed } from "./states.ts";
import { listSearch } from "./use-view.ts";
import { hotDays, utcDays, type View } from "./view.ts";

/** The widths, shared with the head of the list. */
export const COLUMNS = {
  strip: "hidden w-21 shrink-0 @min-[680px]:block",
  events: "hidden w-14 shrink-0 text-end @min-[560px]:block",
  users: "hidden w-14 shrink-0 text-end @min-[560px]:block",
  seen: "hidden w-26 shrink-0 text-end @min-[560px]:block",
  actions: "w-7 shrink-0",
} as const;

type Props = {
  group: ErrorGroupListItem;
  project: Project | undefined;
  /** In the list of all projects, rows name their project. */
  isAll: boolean;
  row: ListRowProps;
  current: boolean;
  selected: boolean;
  /** Undefined where nothing can be done with a selection. */
  onToggle: ((range: boolean) => void) | undefined;
  view: View;
  /** When the counts were loaded. */
  asOf: number;
  menu: ReactNode;
};

/** An error group on two lines, 64 px high. */
export function ErrorRow({
  group,
  project,
  isAll,
  row,
  current,
  selected,
  onToggle,
  view,
  asOf,
  menu,
}: Props) {
  const days = utcDays(group.daily_counts.length, asOf);
  return (
    <Row
      height={64}
      current={current}
      selected={selected}
      checkbox={
        onToggle && (
          <RowCheckbox
            name={group.exception_class}
            tabIndex={row.tabIndex}
            selected={selected}
            onToggle={onToggle}
          />
        )
      }
      end={
        <>
          <span className={COLUMNS.strip}>
            <DayStrip counts={group.daily_counts} hot={hotDays(group, days)} />
          </span>
          <Count value={group.occurrence_count} unit="events" className={COLUMNS.events} />
          <Count
            value={group.affected_users}
            {...(group.affected_users === null ? {} : { unit: "users" })}
            className={COLUMNS.users}
          />
          <Time at={group.last_seen_at} className={`${COLUMNS.seen} truncate text-text-2`} />
          <span className={COLUMNS.actions}>{menu}</span>
        </>
      }
    >
      <StateMark status={group.status} regressedAt={group.regressed_at} compact />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-2">
          <Link
            to="/projects/$projectKey/errors/$errorGroupId"
            params={{ projectKey: project?.key ?? String(group.project_id), errorGroupId: String(group.id) }}
            search={listSearch(view, isAll)}
            className={rowLink}
            title={group.exception_class}
            draggable={false}
            {...row}
          >
            <RowText>{shortClass(group.exception_class)}</RowText>
          </Link>
          {isRegressed(group) && group.reopen_count > 0 && (
            <span
              className="shrink-0 text-sm font-medium text-regressed"
              title={`Regressed ${countOf(group.reopen_count, "time")}`}
            >
              ×{group.reopen_count}
            </span>
          )}
          <RowText className="min-w-0 truncate text-text-2" title={group.latest_message}>
            {group.latest_message}
          </RowText>
        </div>
        <SecondLine group={group} project={isAll ? project : undefined} issueKey={project?.key} row={row} />
      </div>
    </Row>
  );
}

function SecondLine({
  group,
  project,
  issueKey,
  row,
}: {
  group: ErrorGroupListItem;
  project: Project | undefined;
  issueKey: string | undefined;
  row: ListRowProps;
}) {
  return (
    <div className="mt-0.5 flex min-w-0 items-center gap-2 text-sm text-text-3">
      <span className="shrink-0 @min-[560px]:hidden">
        <Count value={group.occurrence_count} unit="events" />
        <span aria-hidden> ev.</span> · <Time at={group.last_seen_at} />
      </span>
      {project && (
        <span className="max-w-32 shrink-0 truncate" title={project.name}>
          {project.key}
        </span>
      )}
      <Badge>{group.environment}</Badge>
      {group.linked_issue_id !== null && issueKey !== undefined && (
        <Link
          to="/projects/$projectKey/issues/$issueKey"
          params={{ projectKey: issueKey, issueKey: String(group.linked_issue_id) }}
          tabIndex={row.tabIndex}
          className="relative z-1 flex shrink-0 items-center gap-1 rounded-sm text-accent-text hover:underline"
        >
          <CircleDot aria-hidden size={12} />
          Issue
          <span className="sr-only"> of {group.exception_class}</span>
        </Link>
      )}
      {group.context_label !== null && group.context_label !== "" && (
        <RowText className="min-w-0 truncate font-mono text-xs" title={group.context_label}>
          {group.context_label}
        </RowText>
      )}
    </div>
  );
}

/** The class without its namespace, which is in the tooltip. */
const shortClass = (name: string) =>
  name.slice(Math.max(name.lastIndexOf("\\"), name.lastIndexOf("/")) + 1) || name;
