import { type HistoryState, Link } from "@tanstack/react-router";
import { memo, type ReactNode, useId } from "react";
import { CircleSlash2, MessageSquare, UserRound } from "lucide-react";
import type { Issue } from "../../shared/issues.ts";
import { nameOf } from "../data/projects/people.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { cx } from "../kit/cx.ts";
import { LaneMark } from "../marks/lane-mark.tsx";
import { PriorityMark } from "../marks/priority-mark.tsx";
import { ITEM_KEY } from "../lists/item-key.tsx";
import { RowCheckbox } from "../lists/row-checkbox.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { WaitingMark } from "../lists/waiting-mark.tsx";
import { TaskProgress } from "../kit/task-progress.tsx";
import { Time } from "../kit/dates/time.tsx";
import { TypeMark } from "../marks/type-mark.tsx";
import type { ListRowProps } from "../lists/virtual-list.tsx";
import { estimateText } from "../marks/estimate.ts";
import { DueMark } from "./due-mark.tsx";
import type { PickField } from "./quick-pick.tsx";
import type { IssueNames } from "../data/projects/use-issue-names.ts";

const MAX_LABELS = 2;

/** Stable functions, so that a row renders again only when it changes. */
export type RowActions = {
  onToggle: (issue: Issue, range: boolean) => void;
  onPick: (field: PickField, issue: Issue, anchor: HTMLElement) => void;
};

type Props = {
  issue: Issue;
  projectKey: string;
  issueNames: IssueNames;
  row: ListRowProps;
  current: boolean;
  selected: boolean;
  blocked: boolean;
  /** Whether the user may change it. */
  editable: boolean;
  /** Which time the row shows. */
  time: "created_at" | "updated_at";
  /** Redundant in the list of one's own issues. */
  hideAssignee?: boolean;
  actions: RowActions;
  from: HistoryState;
};

/** One issue of a list: a link with its title, and its cells, which are buttons if the issue may be changed. */
export const IssueRow = memo(function IssueRow(rowProps: Props) {
  const titleId = useId();
  const props = { ...rowProps, titleId };
  const { issue, projectKey, issueNames, row, current, selected, editable, actions } = props;
  return (
    <Row
      current={current}
      selected={selected}
      checkbox={
        editable && (
          <RowCheckbox
            name={issue.key}
            tabIndex={row.tabIndex}
            selected={selected}
            onToggle={(range) => actions.onToggle(issue, range)}
          />
        )
      }
      end={<End {...props} />}
    >
      <Cell {...props} field="priority" label="Priority">
        <PriorityMark priority={issue.priority} compact />
      </Cell>
      <Cell {...props} field="lane" label="Lane">
        <LaneCell issue={issue} issueNames={issueNames} />
      </Cell>
      <TypeMark type={issue.type} compact />
      <RowText className={cx(ITEM_KEY, "@max-md:hidden")} title={issue.key}>
        {issue.key}
      </RowText>
      <Link
        {...row}
        to="/projects/$projectKey/issues/$issueKey"
        params={{ projectKey, issueKey: issue.key }}
        className={rowLink}
        title={issue.title}
        state={props.from}
        draggable={false}
      >
        <RowText id={titleId}>{issue.title}</RowText>
      </Link>
      {props.blocked && (
        <span className="shrink-0 text-warn" title="Blocked">
          <CircleSlash2 aria-hidden size={14} />
          <span className="sr-only">Blocked</span>
        </span>
      )}
      <WaitingMark kind="issue" id={issue.id} />
    </Row>
  );
});

function LaneCell({ issue, issueNames }: { issue: Issue; issueNames: IssueNames }) {
  const lane = issueNames.lane(issue.lane_id);
  return lane === undefined ? (
    <span className="size-4" />
  ) : (
    <LaneMark kind={lane.kind} name={lane.name} compact />
  );
}

function End(props: TitledProps) {
  const { issue, issueNames, time, hideAssignee = false } = props;
  const labels = issue.label_ids.map(issueNames.label).filter((label) => label !== undefined);
  const sprint = issueNames.sprintName(issue.sprint_id);
  const epic = issueNames.epicTitle(issue.epic_id);
  return (
    <>
      <Cell
        {...props}
        field="label"
        label="Labels"
        className="gap-1 @max-lg:hidden"
        empty={labels.length === 0}
      >
        {labels.slice(0, MAX_LABELS).map(({ id, name, color }) => (
          <span key={id} className="max-w-32">
            <Badge dot={color}>{name}</Badge>
          </span>
        ))}
        {labels.length > MAX_LABELS && (
          <span className="text-sm text-text-3" title={labels.map(({ name }) => name).join(", ")}>
            +{labels.length - MAX_LABELS}
          </span>
        )}
      </Cell>
      {epic !== undefined && (
        <span className="max-w-32 truncate text-sm text-text-3 @max-xl:hidden" title={`Epic: ${epic}`}>
          {epic}
        </span>
      )}
      {sprint !== undefined && (
        <span className="max-w-28 truncate text-sm text-text-3 @max-xl:hidden" title={`Sprint: ${sprint}`}>
          {sprint}
        </span>
      )}
      <DueMark issue={issue} className="@max-md:hidden" />
      {issue.estimated_minutes !== null && (
        <span className="text-sm text-text-3 @max-lg:hidden" title="Estimate">
          {estimateText(issue.estimated_minutes)}
        </span>
      )}
      <TaskProgress tasks={issue.tasks} className="text-sm text-text-3 @max-md:hidden" />
      {issue.comments_count > 0 && (
        <span className="flex items-center gap-1 text-sm text-text-3 @max-md:hidden">
          <MessageSquare aria-hidden size={14} />
          {issue.comments_count}
          <span className="sr-only">{issue.comments_count === 1 ? "comment" : "comments"}</span>
        </span>
      )}
      <Time
        at={issue[time]}
        as="row"
        of={time === "created_at" ? "Created" : "Updated"}
        className="w-18 truncate lg:w-26 text-end text-sm text-text-3 @max-lg:hidden"
      />
      {!hideAssignee && <AssigneeCell {...props} />}
    </>
  );
}

function AssigneeCell(props: TitledProps) {
  const { issue, issueNames } = props;
  const person = issueNames.person(issue.assignee_id);
  return (
    <Cell {...props} field="assignee" label="Assignee">
      {issue.assignee_id === null ? (
        <span
          className="flex size-5 items-center justify-center rounded-full border border-dashed border-line-strong text-text-3"
          title="Nobody"
        >
          <UserRound aria-hidden size={12} />
          <span className="sr-only">Nobody</span>
        </span>
      ) : (
        <span className="flex" title={nameOf(person)}>
          <Avatar person={person ?? null} />
          <span className="sr-only">{nameOf(person)}</span>
        </span>
      )}
    </Cell>
  );
}

/** The id of the title describes the cells, whose names many rows share. */
type TitledProps = Props & { titleId: string };

type CellProps = TitledProps & {
  field: PickField;
  label: string;
  className?: string;
  /** An empty cell is left out; its key still opens the picker. */
  empty?: boolean;
  children: ReactNode;
};

function Cell({
  issue,
  row,
  editable,
  actions,
  field,
  label,
  titleId,
  className,
  empty = false,
  children,
}: CellProps) {
  if (empty) return null;
  if (!editable) return <span className={cx("flex items-center", className)}>{children}</span>;
  return (
    <button
      type="button"
      tabIndex={row.tabIndex}
      aria-describedby={titleId}
      aria-haspopup="dialog"
      className={cx(
        "relative z-1 -mx-1 flex min-h-6 min-w-6 items-center rounded-sm p-1 hover:bg-line",
        // On a touch screen, its tap target is as high as the row.
        "pointer-coarse:after:absolute pointer-coarse:after:-inset-x-0.5 pointer-coarse:after:inset-y-[calc((100%-var(--row-1))/2)]",
        className,
      )}
      onClick={(event) => actions.onPick(field, issue, event.currentTarget)}
    >
      <span className="sr-only">{label}: </span>
      {children}
    </button>
  );
}
