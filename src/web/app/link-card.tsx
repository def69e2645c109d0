import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId } from "react";
import type { Project } from "../../shared/projects.ts";
import { issueQuery } from "../data/issues/issues.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { reportQuery } from "../data/reports/reports.ts";
import { Avatar } from "../kit/avatar.tsx";
import { LaneMark } from "../marks/lane-mark.tsx";
import { PriorityMark } from "../marks/priority-mark.tsx";
import { Time } from "../kit/dates/time.tsx";
import { TypeMark } from "../marks/type-mark.tsx";
import { usePlaced } from "../kit/use-placed.ts";
import { TOOLTIP_BOX } from "../kit/watch-tooltips.ts";
import { DueMark } from "../issues/due-mark.tsx";
import { firstWords } from "../reports/first-words.ts";
import { VIEW_LABELS, viewOf } from "../reports/report-views.ts";

type Props = { link: HTMLElement; project: Project; id: string };

/** Nothing for what does not exist or what the user may not read. */
export function LinkCard({ link }: { link: HTMLElement }) {
  const projects = useProjects();
  const key = /^\/projects\/([^/]+)\//.exec(link.getAttribute("href") ?? "")?.[1];
  const project = projects.find((one) => one.key === key);
  const { issue, report, person } = link.dataset;
  if (project === undefined) return null;
  if (issue !== undefined && can(project, "issues:read"))
    return <IssueCard link={link} project={project} id={issue} />;
  if (report !== undefined && project.features.reports && can(project, "reports:read"))
    return <ReportCard link={link} project={project} id={report} />;
  const userId = /\?assignee=(\d+)$/.exec(link.getAttribute("href") ?? "")?.[1];
  if (person !== undefined && userId !== undefined)
    return <PersonCard link={link} project={project} id={userId} />;
  return null;
}

function IssueCard({ link, project, id }: Props) {
  const { data: issue } = useQuery(issueQuery(project.id, id));
  const lane = useLanes(project.id).find((one) => one.id === issue?.lane_id);
  const assignee = usePeople(project.id).of(issue?.assignee_id);
  if (issue === undefined) return null;
  return (
    <Card link={link}>
      <Meta>
        <TypeMark type={issue.type} compact />
        <span>{issue.key}</span>
        {lane && <LaneMark kind={lane.kind} name={lane.name} />}
        <DueMark issue={issue} />
      </Meta>
      <Title>{issue.title}</Title>
      <Meta>
        <PriorityMark priority={issue.priority} />
        {issue.assignee_id !== null && (
          <span className="flex min-w-0 items-center gap-1.5">
            <Avatar person={assignee ?? null} size={16} />
            <span dir="auto" className="truncate">
              {nameOf(assignee)}
            </span>
          </span>
        )}
      </Meta>
    </Card>
  );
}

function ReportCard({ link, project, id }: Props) {
  const { data: report } = useQuery(reportQuery(project.id, id));
  if (report === undefined) return null;
  const words = firstWords(report.description);
  return (
    <Card link={link}>
      <Meta>
        <span>Report #{report.id}</span>
        <span>{VIEW_LABELS[viewOf(report)]}</span>
        <Time at={report.created_at} />
      </Meta>
      <Title>{report.title}</Title>
      {words !== "" && (
        <p dir="auto" className="line-clamp-2 text-sm text-text-2">
          {words}
        </p>
      )}
    </Card>
  );
}

function PersonCard({ link, project, id }: Props) {
  const person = usePeople(project.id).of(Number(id));
  if (person === undefined) return null;
  return (
    <Card link={link}>
      <div className="flex items-center gap-3">
        <Avatar person={person} size={32} />
        <div className="min-w-0">
          <Title>{nameOf(person)}</Title>
          <p className="truncate text-sm text-text-3">@{person.username}</p>
        </div>
      </div>
    </Card>
  );
}

function Card({ link, children }: { link: HTMLElement; children: ReactNode }) {
  const box = usePlaced(link, "bottom");
  const id = useId();
  useEffect(() => {
    link.setAttribute("aria-describedby", id);
    return () => link.removeAttribute("aria-describedby");
  }, [link, id]);
  return (
    <div
      ref={box}
      id={id}
      role="tooltip"
      {...{ [TOOLTIP_BOX]: "" }}
      data-no-print
      className="fixed z-60 flex w-max max-w-[min(320px,calc(100vw-16px))] animate-appear flex-col gap-1 rounded-md bg-surface px-3 py-2 shadow-float forced-colors:border"
    >
      {children}
    </div>
  );
}

function Meta({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-text-3">{children}</div>
  );
}

function Title({ children }: { children: ReactNode }) {
  return (
    <p dir="auto" className="line-clamp-2 font-medium">
      {children}
    </p>
  );
}
