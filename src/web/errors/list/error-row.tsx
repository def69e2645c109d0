import { Link } from "@tanstack/react-router";
import { CircleDot } from "lucide-react";
import { type ReactNode, use } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { AfterFirstFrame } from "../../kit/after-first-frame.ts";
import { Badge } from "../../kit/badge.tsx";
import { Count } from "../../kit/count.tsx";
import { cx } from "../../kit/cx.ts";
import { countOf, unitOf } from "../../kit/count-text.ts";
import { DayStrip } from "../../kit/charts/day-strip.tsx";
import { RowCheckbox } from "../../lists/row-checkbox.tsx";
import { RowText } from "../../lists/row-text.tsx";
import { Row, rowLink } from "../../lists/row.tsx";
import { WaitingMark } from "../../lists/waiting-mark.tsx";
import { StateMark } from "../../marks/state-mark.tsx";
import { Time, TimeZoneContext, useNow } from "../../kit/dates/time.tsx";
import type { ListRowProps } from "../../lists/virtual-list.tsx";
import { AssigneeCell } from "./assignee-cell.tsx";
import { conditionText, progressText } from "../../data/errors/snooze-text.ts";
import { impactReason, isNew } from "./impact-reason.ts";
import { messageId } from "../status/message-id.ts";
import { isRegressed } from "../../data/errors/group-status.ts";
import { listSearch, sortOf, type View } from "../view.ts";

/** The widths, shared with the head of the list. */
export const COLUMNS = {
  strip: "hidden w-21 shrink-0 @min-[680px]:block",
  events: "hidden w-14 shrink-0 text-end @min-[560px]:block",
  users: "hidden w-14 shrink-0 text-end @min-[560px]:block",
  seen: "hidden w-20 shrink-0 lg:w-26 text-end @min-[560px]:block",
  assignee: "flex w-5 shrink-0 @max-[420px]:hidden",
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
  /** Opens the picker of the assignee beside an element. */
  onAssign: ((anchor: HTMLElement) => void) | undefined;
  menu: ReactNode;
};

/** An error group on two lines, 64 px high. */
export function ErrorRow(props: Props) {
  const { group, project, isAll, row, current, selected, onToggle, view, onAssign, menu } = props;
  const regressed = isRegressed(group);
  return (
    <Row
      lines={2}
      current={current}
      selected={selected}
      className={regressed && !current ? SPINE : undefined}
      checkbox={
        onToggle && (
          <RowCheckbox
            name={group.exception_class}
            describedBy={messageId(group)}
            tabIndex={row.tabIndex}
            selected={selected}
            onToggle={onToggle}
          />
        )
      }
      end={
        <>
          <span className={COLUMNS.strip}>
            <DayStrip counts={group.daily_counts} />
          </span>
          <Count value={group.occurrence_count} unit="events" className={COLUMNS.events} />
          <Count
            value={group.affected_users}
            {...(group.affected_users === null ? {} : { unit: "users" })}
            className={COLUMNS.users}
          />
          <Seen group={group} view={view} />
          <span className={COLUMNS.assignee}>
            <AssigneeCell group={group} tabIndex={row.tabIndex} onPick={onAssign} />
          </span>
          <span className={COLUMNS.actions}>
            <AfterFirstFrame>{menu}</AfterFirstFrame>
          </span>
        </>
      }
    >
      <StateMark
        status={group.status}
        regressedAt={group.regressed_at}
        reopenCount={group.reopen_count}
        compact
        quiet={regressed}
      />
      <div className="min-w-0 flex-1">
        <p id={messageId(group)} className="flex min-w-0">
          <RowText className="min-w-0 truncate font-medium" title={group.latest_message}>
            {group.latest_message || shortClass(group.exception_class)}
          </RowText>
        </p>
        <SecondLine group={group} project={project} isAll={isAll} row={row} view={view} />
      </div>
    </Row>
  );
}

function SecondLine({
  group,
  project,
  isAll,
  row,
  view,
}: Pick<Props, "group" | "project" | "isAll" | "row" | "view">) {
  const projectKey = project?.key ?? String(group.project_id);
  const now = useNow();
  return (
    // What does not fit is on further lines, which are not visible: a tag is shown as a whole or not at all.
    <div className="mt-0.5 flex h-5 min-w-0 flex-wrap items-center gap-x-2 gap-y-1 overflow-clip text-sm text-text-3">
      <span className="flex h-5 max-w-full min-w-0 items-center gap-2">
        {isRegressed(group) && (
          <span
            className="shrink-0 font-medium text-regressed"
            title={group.reopen_count > 1 ? `Regressed ${countOf(group.reopen_count, "time")}` : undefined}
          >
            {group.last_release === null ? "Regressed" : `Regressed in ${group.last_release}`}
          </span>
        )}
        <StatusNote group={group} />
        <WaitingMark kind="error_group" id={group.id} />
        {isNew(group, now) && <Badge tone="accent">New</Badge>}
        <Link
          to="/projects/$projectKey/errors/$errorGroupId"
          params={{ projectKey, errorGroupId: String(group.id) }}
          search={listSearch(view, isAll)}
          className={cx(rowLink, "max-w-64 font-normal! text-text-2!")}
          title={group.exception_class}
          aria-describedby={messageId(group)}
          draggable={false}
          {...row}
        >
          <RowText>{shortClass(group.exception_class)}</RowText>
        </Link>
        <span className="shrink-0 @min-[560px]:hidden">
          <Count value={group.occurrence_count} unit="events" />
          <span aria-hidden> {unitOf(group.occurrence_count, "events")}</span> ·{" "}
          <Time at={group.last_seen_at} as="short" />
        </span>
      </span>
      {isAll && project && (
        <span className="max-w-32 shrink-0 truncate" title={project.name}>
          {project.key}
        </span>
      )}
      <Badge>{group.environment}</Badge>
      {group.linked_issue_id !== null && project && (
        <Link
          to="/projects/$projectKey/issues/$issueKey"
          params={{ projectKey, issueKey: String(group.linked_issue_id) }}
          tabIndex={row.tabIndex}
          // Hidden where it may not fit, because an element that is cut off could still get the focus.
          className="relative z-1 flex shrink-0 items-center gap-1 rounded-sm text-accent-text hover:underline @max-[680px]:hidden"
        >
          <CircleDot aria-hidden size={12} />
          Issue
          <span className="sr-only"> of {group.exception_class}</span>
        </Link>
      )}
      {group.context_label !== null && group.context_label !== "" && (
        <RowText className="min-w-0 flex-[1_1_6rem] truncate font-mono text-xs" title={group.context_label}>
          {group.context_label}
        </RowText>
      )}
    </div>
  );
}

/** The last column: the time by which the list is sorted, or why the error has its place in the order by impact. */
function Seen({ group, view }: Pick<Props, "group" | "view">) {
  const sort = sortOf(view);
  const now = useNow();
  const className = `${COLUMNS.seen} truncate text-text-2`;
  if (sort === "impact") {
    const { word, sentence } = impactReason(group, now);
    return (
      <span className={className} title={sentence}>
        {word}
      </span>
    );
  }
  return (
    <Time
      at={sort === "first_seen" ? group.first_seen_at : group.last_seen_at}
      as="row"
      className={className}
    />
  );
}

/** When a resolution applies or a snooze ends, if the status alone does not say it. */
function StatusNote({ group }: { group: ErrorGroupListItem }) {
  const timeZone = use(TimeZoneContext);
  const text =
    group.snoozed_until !== null
      ? conditionText(group.snoozed_until, timeZone)
      : group.verified_at !== null
        ? "Verified"
        : group.resolved_in !== null
          ? `in ${group.resolved_in.release ?? "the next release"}`
          : undefined;
  if (text === undefined) return null;
  const isVerified = group.verified_at !== null;
  const progress = progressText(group);
  return (
    <span
      className={cx("max-w-64 min-w-12 truncate", isVerified && "font-medium text-resolved")}
      title={progress === "" ? text : `${text} (${progress} so far)`}
      dir="auto"
    >
      {text.charAt(0).toUpperCase() + text.slice(1)}
    </span>
  );
}

/** Marks a regressed row with a bar, where a selected row has its own. */
const SPINE = "before:absolute before:inset-y-0 before:start-0 before:w-0.5 before:bg-regressed";

/** The class without its namespace, which is in the tooltip. */
const shortClass = (name: string) =>
  name.slice(Math.max(name.lastIndexOf("\\"), name.lastIndexOf("/")) + 1) || name;
