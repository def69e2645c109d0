import { Link } from "@tanstack/react-router";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { ProjectCrumb } from "../../page/project-crumb.tsx";
import { ImportedFrom } from "../../marks/imported-from.tsx";
import { nameOf, usePeople } from "../../data/projects/people.ts";
import { can } from "../../data/projects/projects.ts";
import { CopyButton } from "../../kit/copy-button.tsx";
import { PageHeader } from "../../kit/page-header.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { WaitingMark } from "../../lists/waiting-mark.tsx";
import { useGroups } from "../../data/errors/use-groups.ts";
import { StarButton } from "../../views/star-button.tsx";
import { EditableTitle } from "../issue-text/editable-title.tsx";
import { IssueMenu } from "./issue-menu.tsx";
import { PreviousNext } from "./previous-next.tsx";
import { sourcesText } from "./sources-text.ts";
import { WatchButton } from "./watch-button.tsx";

/** Where the issue is, and the actions on it. */
export function IssueHeader({ project, issue }: { project: Project; issue: Issue }) {
  return (
    <PageHeader
      title={issue.key}
      titled
      sticky
      scrolledTitle={issue.title}
      aside={
        <>
          <CopyButton text={issue.key} label={`Copy ${issue.key}`} />
          <WaitingMark kind="issue" id={issue.id} />
        </>
      }
      crumbs={[
        <ProjectCrumb key="project" project={project} />,
        <Link key="issues" to="/projects/$projectKey/issues" params={{ projectKey: project.key }}>
          Issues
        </Link>,
      ]}
      actions={
        <>
          <PreviousNext issue={issue} />
          <StarButton page="issue" projectId={project.id} id={issue.id} title={issue.key} />
          <WatchButton issue={issue} />
          <IssueMenu project={project} issue={issue} />
        </>
      }
    />
  );
}

/** Title, author and sources of an issue. */
export function IssueTitle({ project, issue }: { project: Project; issue: Issue }) {
  return (
    <EditableTitle
      of={issue}
      name={issue.key}
      editable={can(project, "issues:update")}
      before={<span className="sr-only">{issue.key} </span>}
    >
      <p className="text-sm text-text-3">
        <CreatedBy project={project} issue={issue} />
      </p>
    </EditableTitle>
  );
}

function CreatedBy({ project, issue }: { project: Project; issue: Issue }) {
  const people = usePeople(project.id);
  const groups = useGroups(project, issue.error_group_ids);
  return (
    <>
      Opened <Time at={issue.created_at} />
      {(issue.created_by !== null || issue.imported_from === null) &&
        ` by ${nameOf(people.of(issue.created_by))}`}
      {sourcesText(issue, groups)}
      {issue.imported_from && (
        <>
          {" · "}
          <ImportedFrom origin={issue.imported_from} />
        </>
      )}
    </>
  );
}
