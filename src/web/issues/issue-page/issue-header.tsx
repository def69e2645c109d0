import { Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { nameOf, usePeople } from "../../data/people.ts";
import { can } from "../../data/projects.ts";
import { CopyButton } from "../../kit/copy-button.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { PageHeader } from "../../kit/page-header.tsx";
import { Time } from "../../kit/time.tsx";
import { TitleForm } from "../issue-text/title-form.tsx";
import { useReturnFocus, useTextEdit } from "../issue-text/use-text-edit.ts";
import { IssueMenu } from "./issue-menu.tsx";
import { PreviousNext } from "./previous-next.tsx";
import { WatchButton } from "./watch-button.tsx";

/** Key, title, author and sources of an issue, and the actions on it. */
export function IssueHeader({ project, issue }: { project: Project; issue: Issue }) {
  const title = useTextEdit(issue, "title");
  const button = useReturnFocus(title.edit !== undefined);
  const editable = can(project, "issues:update");
  usePaletteCommand("edit-title", `Edit the title of ${issue.key}`, title.begin, editable);
  return (
    <PageHeader
      crumbs={[
        <Link key="issues" to="/projects/$projectKey/issues" params={{ projectKey: project.key }}>
          Issues
        </Link>,
      ]}
      title={
        <>
          <span className="me-2 font-normal whitespace-nowrap text-text-3">{issue.key}</span>{" "}
          <span dir="auto" className="wrap-anywhere">
            {issue.title}
          </span>
        </>
      }
      aside={
        <span className="flex">
          {editable && !title.edit && (
            <IconButton size="sm" ref={button} icon={Pencil} label="Edit title" onClick={title.begin} />
          )}
          <CopyButton text={issue.key} label={`Copy ${issue.key}`} />
        </span>
      }
      actions={
        <>
          <PreviousNext issue={issue} />
          <WatchButton issue={issue} />
          <IssueMenu project={project} issue={issue} />
        </>
      }
    >
      {editable && <TitleForm text={title} />}
      <p className="-mt-2 pb-3 text-sm text-text-3">
        <CreatedBy project={project} issue={issue} />
      </p>
    </PageHeader>
  );
}

function CreatedBy({ project, issue }: { project: Project; issue: Issue }) {
  const people = usePeople(project.id);
  const { report_ids, error_group_id } = issue;
  const sources = [
    ...(report_ids.length > 0 ? [report_ids.length === 1 ? "a report" : `${report_ids.length} reports`] : []),
    ...(error_group_id === null ? [] : ["an error group"]),
  ];
  return (
    <>
      Opened by {nameOf(people.of(issue.created_by))} <Time at={issue.created_at} />
      {sources.length > 0 && <>, from {sources.join(" and ")}</>}
    </>
  );
}
