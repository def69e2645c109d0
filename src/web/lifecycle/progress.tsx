import { useQuery } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import type { GitLink } from "../../shared/git.ts";
import type { Issue } from "../../shared/issues.ts";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { issueQuery } from "../data/issues/issues.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { can } from "../data/projects/projects.ts";
import { fixReleaseQuery } from "../data/errors/releases.ts";
import { cx } from "../kit/cx.ts";
import { Time } from "../kit/dates/time.tsx";
import { ReleaseLink } from "../page/release-link.tsx";
import { closedAtOf, type FixedGroup, type Step, stepsOf } from "./steps.ts";
import { useGroups } from "../data/errors/use-groups.ts";

/** Errors whose state is read for an issue; more are rare, and each costs a request. */
const MAX_GROUPS = 6;

/** The progress of the fix of an error. */
export function ProgressOfError({ project, group }: { project: Project; group: ErrorGroup }) {
  const { data: issue } = useLinkedIssue(project, group.linked_issue_id);
  return (
    <Progress
      project={project}
      issue={issue}
      ids={[group.id]}
      groups={[group]}
      reportedAt={group.first_seen_at}
      links={group.git_links}
    />
  );
}

/** The progress of the issue of a report. */
export function ProgressOfReport({ project, report }: { project: Project; report: Report }) {
  const { data: issue } = useLinkedIssue(project, report.promoted_issue_id);
  const ids = issue?.error_group_ids ?? NO_IDS;
  const groups = useGroups(project, ids.slice(0, MAX_GROUPS));
  return (
    <Progress project={project} issue={issue} ids={ids} groups={groups} reportedAt={report.created_at} />
  );
}

/** The progress of an issue that was created from reports or errors. */
export function ProgressOfIssue({ project, issue }: { project: Project; issue: Issue }) {
  const groups = useGroups(project, issue.error_group_ids.slice(0, MAX_GROUPS));
  const reportedAt = [issue.created_at, ...groups.map(({ first_seen_at }) => first_seen_at)].toSorted(
    (a, b) => Date.parse(a) - Date.parse(b),
  )[0];
  return (
    <Progress
      project={project}
      issue={issue}
      ids={issue.error_group_ids}
      groups={groups}
      reportedAt={reportedAt ?? issue.created_at}
    />
  );
}

function useLinkedIssue(project: Project, id: number | null) {
  return useQuery({
    ...issueQuery(project.id, id ?? 0),
    enabled: id !== null && can(project, "issues:read"),
  });
}

type Props = {
  project: Project;
  issue: Issue | undefined;
  /** The ids of the errors that the issue fixes. */
  ids: readonly number[];
  /** The errors with these ids that have loaded. */
  groups: readonly FixedGroup[];
  reportedAt: string;
  /** The commits and requests that name the error, besides those that name the issue. */
  links?: readonly GitLink[];
};

function Progress({ project, issue, ids, groups, reportedAt, links = NO_LINKS }: Props) {
  const lanes = useLanes(project.id);
  const course = issue && {
    created_at: issue.created_at,
    closed_at: issue.closed_at,
    lane: lanes.find(({ id }) => id === issue.lane_id)?.kind,
  };
  const closedAt = closedAtOf({ issue: course, groups });
  const mayRead = project.features.error_tracking && can(project, "error-groups:read");
  const { data: release } = useQuery({
    ...fixReleaseQuery(project.id, ids, closedAt ?? ""),
    enabled: mayRead && closedAt !== null,
  });
  const steps = stepsOf({
    reportedAt,
    issue: course,
    groups,
    release,
    links: [...links, ...(issue?.git_links ?? NO_LINKS)].toSorted(
      (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at),
    ),
  });
  return (
    <ol
      aria-label="Progress"
      // The line before the first step of each row is clipped.
      className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm sm:-ms-5 sm:gap-x-1 sm:[clip-path:inset(-4px_-4px_-4px_20px)]"
    >
      {steps.map((step, index) => (
        <li
          // oxlint-disable-next-line react/no-array-index-key -- the steps have a fixed order, and their names change
          key={index}
          aria-current={step.state === "current" ? "step" : undefined}
          className="flex min-w-0 items-center gap-1"
        >
          <Line isReached={step.state === "done" || step.state === "current"} />
          <Mark state={step.state} />
          <span
            className={cx(
              "min-w-0 wrap-anywhere",
              step.state === "ahead"
                ? "text-text-3"
                : step.state === "current"
                  ? "font-medium"
                  : step.state === "failed"
                    ? "font-medium text-danger"
                    : "text-text-2",
            )}
          >
            {step.release === undefined ? (
              step.name
            ) : (
              <ReleaseLink project={project} version={step.release}>
                {step.name}
              </ReleaseLink>
            )}
            <span className="sr-only">{WORDS[step.state]}</span>
          </span>
          {step.state === "current" && step.at !== null && <Time at={step.at} className="text-text-3" />}
        </li>
      ))}
    </ol>
  );
}

/** From the previous step. A phone has no room for it. */
function Line({ isReached }: { isReached: boolean }) {
  return (
    <span
      aria-hidden
      data-line
      className={cx("h-px w-4 shrink-0 max-sm:hidden", isReached ? "bg-resolved" : "bg-line")}
    />
  );
}

/** For screen readers, after the name of the step. That of a failed one says it. */
const WORDS: Record<Step["state"], string> = {
  done: ", done",
  current: ", reached",
  ahead: ", not yet",
  failed: "",
};

const MARKS: Record<Step["state"], string> = {
  done: "border-resolved bg-resolved text-surface",
  current: "border-resolved bg-resolved text-surface",
  ahead: "border-line-strong",
  failed: "border-danger bg-danger text-surface",
};

function Mark({ state }: { state: Step["state"] }) {
  return (
    <span
      aria-hidden
      className={cx(
        "grid size-3.5 shrink-0 place-items-center rounded-full border forced-colors:border-current",
        MARKS[state],
      )}
    >
      {state === "failed" ? (
        <X size={10} strokeWidth={3} />
      ) : (
        state !== "ahead" && <Check size={10} strokeWidth={3} />
      )}
    </span>
  );
}

const NO_IDS: readonly number[] = [];
const NO_LINKS: readonly GitLink[] = [];
