import { Link } from "@tanstack/react-router";
import { ArrowLeft, ArrowRight } from "lucide-react";
import type { KeyboardEvent } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { IssueNames } from "../data/projects/use-issue-names.ts";
import { ItemKey } from "../lists/item-key.tsx";
import { TypeMark } from "../marks/type-mark.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { cx } from "../kit/cx.ts";
import { estimateText } from "../marks/estimate.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { LaneMark } from "../marks/lane-mark.tsx";
import { PriorityMark } from "../marks/priority-mark.tsx";
import { RowCheckbox } from "../lists/row-checkbox.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { useDraggableItem } from "../lists/use-draggable-item.ts";
import type { Side } from "./use-plan-lift.ts";

export const PLANNED = "planned-issue";

type Props = {
  issue: Issue;
  projectKey: string;
  issueNames: IssueNames;
  side: Side;
  sprintName: string;
  current: boolean;
  selected: boolean;
  lifted: boolean;
  tabbable: boolean;
  movable: boolean;
  onFocus: () => void;
  onBlur: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onToggle: (range: boolean) => void;
  onMove: () => void;
};

/** An issue of the backlog or the sprint. Its button moves it to the other list. */
export function PlanRow(props: Props) {
  const { issue, projectKey, issueNames, lifted, tabbable, movable } = props;
  const { ref, dragging } = useDraggableItem({ kind: PLANNED, id: String(issue.id), disabled: !movable });
  const lane = issueNames.lane(issue.lane_id);
  const tabIndex = tabbable ? 0 : -1;
  return (
    <li
      ref={ref}
      data-dragging={dragging || lifted || undefined}
      className={cx(
        "[contain-intrinsic-size:auto_40px] [content-visibility:auto]",
        dragging && "opacity-50",
        lifted && "bg-selected outline-2 -outline-offset-2 outline-accent",
      )}
    >
      <Row
        current={props.current}
        selected={props.selected}
        checkbox={
          movable && (
            <RowCheckbox
              name={issue.key}
              tabIndex={tabIndex}
              selected={props.selected}
              onToggle={props.onToggle}
            />
          )
        }
        end={<RowEnd {...props} />}
      >
        <span className="flex shrink-0 items-center gap-2">
          <PriorityMark priority={issue.priority} compact />
          {lane && <LaneMark kind={lane.kind} name={lane.name} compact />}
        </span>
        <TypeMark type={issue.type} compact />
        <ItemKey className="max-lg:hidden">{issue.key}</ItemKey>
        <Link
          to="/projects/$projectKey/issues/$issueKey"
          params={{ projectKey, issueKey: issue.key }}
          className={rowLink}
          dir="auto"
          title={issue.title}
          draggable={false}
          tabIndex={tabIndex}
          data-row={issue.id}
          data-lift-id={issue.id}
          aria-description={movable ? (lifted ? "Lifted" : "Press Space to lift") : undefined}
          onFocus={props.onFocus}
          onBlur={props.onBlur}
          onKeyDown={props.onKeyDown}
        >
          {issue.title}
        </Link>
      </Row>
    </li>
  );
}

function RowEnd({ issue, issueNames, side, sprintName, tabbable, movable, onMove }: Props) {
  const isPlanned = side !== "backlog";
  return (
    <>
      {issue.estimated_minutes !== null && (
        <span className="text-sm text-text-3" title="Estimate">
          {estimateText(issue.estimated_minutes)}
        </span>
      )}
      {issue.assignee_id !== null && <Avatar person={issueNames.person(issue.assignee_id) ?? null} named />}
      {movable && (
        <IconButton
          size="sm"
          tabIndex={tabbable ? 0 : -1}
          icon={isPlanned ? ArrowLeft : ArrowRight}
          label={isPlanned ? `Move ${issue.key} to the backlog` : `Add ${issue.key} to ${sprintName}`}
          onClick={onMove}
        />
      )}
    </>
  );
}
