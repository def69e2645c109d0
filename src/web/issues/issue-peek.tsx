import { type HistoryState, Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { Issue } from "../../shared/issues.ts";
import { nameOf } from "../data/projects/people.ts";
import { Badge } from "../kit/badge.tsx";
import { buttonClass } from "../kit/button.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { LaneMark } from "../marks/lane-mark.tsx";
import { Markdown } from "../kit/markdown/markdown.tsx";
import { PriorityMark } from "../marks/priority-mark.tsx";
import { Time } from "../kit/dates/time.tsx";
import { TypeMark } from "../marks/type-mark.tsx";
import { estimateText } from "../marks/estimate.ts";
import type { IssueNames } from "../data/projects/use-issue-names.ts";

type Props = {
  issue: Issue;
  issueNames: IssueNames;
  projectKey: string;
  from: HistoryState;
  onClose: () => void;
};

/** An issue beside the list. */
export function IssuePeek({ issue, issueNames, projectKey, from, onClose }: Props) {
  const lane = issueNames.lane(issue.lane_id);
  const labels = issue.label_ids.map(issueNames.label).filter((label) => label !== undefined);
  const sprint = issueNames.sprintName(issue.sprint_id);
  const epic = issueNames.epicTitle(issue.epic_id);
  return (
    <article className="flex flex-col gap-4 p-4">
      <PeekHeader issue={issue} projectKey={projectKey} from={from} onClose={onClose} />
      <dl className="grid grid-cols-[88px_1fr] gap-x-4 gap-y-2">
        <Fact name="Lane">{lane && <LaneMark kind={lane.kind} name={lane.name} />}</Fact>
        <Fact name="Priority">
          <PriorityMark priority={issue.priority} />
        </Fact>
        <Fact name="Type">
          <TypeMark type={issue.type} />
        </Fact>
        <Fact name="Assignee">
          {issue.assignee_id === null ? "Nobody" : nameOf(issueNames.person(issue.assignee_id))}
        </Fact>
        {labels.length > 0 && (
          <Fact name="Labels">
            <span className="flex flex-wrap gap-1">
              {labels.map(({ id, name, color }) => (
                <Badge key={id} dot={color}>
                  {name}
                </Badge>
              ))}
            </span>
          </Fact>
        )}
        {sprint !== undefined && <Fact name="Sprint">{sprint}</Fact>}
        {epic !== undefined && <Fact name="Epic">{epic}</Fact>}
        {issue.estimated_minutes !== null && (
          <Fact name="Estimate">{estimateText(issue.estimated_minutes)}</Fact>
        )}
        <Fact name="Updated">
          <Time at={issue.updated_at} />
        </Fact>
      </dl>
      {issue.description === null || issue.description === "" ? (
        <p className="text-text-3">No description.</p>
      ) : (
        <Markdown text={issue.description} projectKey={projectKey} />
      )}
    </article>
  );
}

function PeekHeader({ issue, projectKey, from, onClose }: Omit<Props, "issueNames">) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <p className="text-sm text-text-3">{issue.key}</p>
        <h2 dir="auto" id="issue-peek-title" tabIndex={-1} className="text-title font-semibold">
          {issue.title}
        </h2>
      </div>
      <Link
        to="/projects/$projectKey/issues/$issueKey"
        params={{ projectKey, issueKey: issue.key }}
        state={from}
        className={buttonClass({ size: "sm" })}
      >
        Open
      </Link>
      <IconButton label="Close preview" shortcut="Escape" size="sm" icon={X} onClick={onClose} />
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
