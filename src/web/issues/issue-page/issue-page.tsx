import { Suspense, useRef } from "react";
import { Link, useParams, useRouterState, useSearch } from "@tanstack/react-router";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { FileDropArea } from "../../attachments/file-drop-area.tsx";
import { ProjectCrumb } from "../../page/project-crumb.tsx";
import { QueryError } from "../../page/query-error.tsx";
import { Comments } from "../../comments/comments.tsx";
import { can, useProject } from "../../data/projects/projects.ts";
import { deferredPart, lazyPart } from "../../kit/lazy-part.tsx";
import { PageHeader } from "../../kit/page-header.tsx";
import { StickyRail } from "../../kit/sticky-rail.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { TabLinks } from "../../kit/tab-links.tsx";
import { IssueHeader, IssueTitle } from "./issue-header.tsx";
import { IssueParts } from "./issue-parts.tsx";
import { IssueRail } from "../issue-rail/issue-rail.tsx";
import { Description } from "../issue-text/description.tsx";
import { useIssue } from "../../data/issues/listed-issue.ts";

/** The progress and the history load after the page, which has much code already. */
const ProgressOfIssue = deferredPart(
  async () => (await import("../../lifecycle/progress.tsx")).ProgressOfIssue,
);
const GitLinks = deferredPart(async () => (await import("../../lifecycle/git-links.tsx")).GitLinks);
const Activity = lazyPart(() => import("../../activity/activity.tsx").then((module) => module.Activity));

/** An issue: its text, properties, sources, relations, comments and history. */
export function IssuePage() {
  const project = useProject();
  const { issueKey = "" } = useParams({ strict: false });
  const { data: issue, error, refetch } = useIssue(project.id, issueKey);
  // A deleted issue is still in the cache, but must not be shown.
  const isGone = error !== null && "status" in error && error.status === 404;
  if (issue && !isGone) return <LoadedIssue key={issue.id} project={project} issue={issue} />;
  if (!error) return <IssueSkeleton issueKey={issueKey} />;
  return (
    <>
      <PageHeader
        title={issueKey}
        crumbs={[
          <ProjectCrumb key="project" project={project} />,
          <Link key="issues" to="/projects/$projectKey/issues" params={{ projectKey: project.key }}>
            Issues
          </Link>,
        ]}
      />
      <QueryError error={error} retry={() => void refetch()} />
    </>
  );
}

function LoadedIssue({ project, issue }: { project: Project; issue: Issue }) {
  const editable = project.permissions.includes("issues:update");
  const fileInput = useRef<HTMLInputElement>(null);
  return (
    <>
      <IssueHeader project={project} issue={issue} />
      <div className="grid flex-1 grid-cols-1 md:grid-cols-[minmax(0,752px)_1fr_288px] md:grid-rows-[auto_1fr]">
        <div className="min-w-0 px-4 pt-4">
          <IssueTitle project={project} issue={issue} />
        </div>
        <div className="border-line bg-surface max-md:border-y max-md:mt-4 p-4 md:col-start-3 md:row-span-2 md:row-start-1 md:border-s md:pt-0">
          <StickyRail>
            <div className="md:pt-4">
              <IssueRail project={project} issue={issue} />
            </div>
          </StickyRail>
        </div>
        <FileDropArea
          input={fileInput}
          disabled={!can(project, "attachments:create")}
          className="flex min-w-0 flex-col gap-5 p-4 md:col-start-1"
        >
          {(issue.report_ids.length > 0 ||
            issue.error_group_ids.length > 0 ||
            issue.git_links.length > 0) && (
            <Suspense fallback={<div className="h-5" />}>
              <ProgressOfIssue project={project} issue={issue} />
            </Suspense>
          )}
          <Description of={issue} editable={editable} />
          {issue.git_links.length > 0 && (
            <Suspense fallback={<div className="h-20" />}>
              <GitLinks project={project} links={issue.git_links} />
            </Suspense>
          )}
          <IssueParts project={project} issue={issue} fileInput={fileInput} />
          <Discussion project={project} issue={issue} />
        </FileDropArea>
      </div>
    </>
  );
}

/** The comments or the history of an issue. A link to a comment shows the comments. */
function Discussion({ project, issue }: { project: Project; issue: Issue }) {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const toComment = useRouterState({ select: ({ location }) => location.hash.startsWith("comment-") });
  const history = tab === "history" && !toComment;
  return (
    <div className="flex min-w-0 flex-col gap-4 border-t border-line pt-1 print:pt-4">
      <div data-no-print className="border-b border-line">
        <TabLinks
          label="Comments and history"
          tabs={[
            {
              label: "Comments",
              count: issue.comments_count,
              current: !history,
              link: <Link to="." search={{}} hash="" state replace resetScroll={false} />,
            },
            {
              label: "History",
              current: history,
              link: <Link to="." search={{ tab: "history" }} hash="" state replace resetScroll={false} />,
            },
          ]}
        />
      </div>
      {history ? (
        <Suspense fallback={<Skeleton rows={4} />}>
          <Activity project={project} issueId={issue.id} />
        </Suspense>
      ) : (
        <Comments project={project} on={{ type: "issues", id: issue.id }} heading={false} />
      )}
    </div>
  );
}

/** Placeholder for the page while the issue loads. */
function IssueSkeleton({ issueKey }: { issueKey: string }) {
  return (
    <>
      <PageHeader title={issueKey} />
      <div className="w-full max-w-[752px] p-4">
        <Skeleton rows={8} label={`Loading ${issueKey}`} />
      </div>
    </>
  );
}
