import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { type ReactNode, Suspense, useEffect } from "react";
import type { Notification } from "../../shared/notifications.ts";
import type { Project } from "../../shared/projects.ts";
import { commentsQuery } from "../data/comments.ts";
import { errorGroupQuery } from "../data/errors/error-groups.ts";
import { peopleQuery } from "../data/projects/people.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { reportQuery } from "../data/reports/reports.ts";
import { buttonClass } from "../kit/button.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { deferredPart } from "../kit/lazy-part.tsx";
import { IssueTarget } from "./issue-target.tsx";
import { LatestComments } from "./latest-comments.tsx";

const ReportTarget = deferredPart(async () => (await import("./report-target.tsx")).ReportTarget);

const ErrorTarget = deferredPart(async () => (await import("./error-target.tsx")).ErrorTarget);

type Props = { entry: Notification; onFollow: () => void };

/** The target of an entry, if the user still has access to it. */
export function InboxTarget({ entry, onFollow }: Props) {
  const { notifiable, type } = entry;
  const projects = useProjects();
  const projectId = "project_id" in notifiable ? notifiable.project_id : notifiable.id;
  const project = notifiable.type === "team" ? undefined : projects.find(({ id }) => id === projectId);

  if (notifiable.type === "team")
    return (
      <Note>
        You are now a member of the team <b>{notifiable.name}</b> and have access to its projects.
      </Note>
    );
  if (!project)
    return (
      <Note>
        This project was deleted, or you no longer have access to it. The notification stays until you delete
        it.
      </Note>
    );
  if (notifiable.type === "issue")
    return (
      <IssueTarget project={project} issue={notifiable} commentId={entry.comment_id} onFollow={onFollow} />
    );
  if (notifiable.type === "error_group")
    return (
      <>
        <Reads project={project} on={{ type: "error_groups", id: notifiable.id }} />
        <Suspense fallback={<Skeleton rows={3} label="Loading the error" />}>
          <ErrorTarget
            project={project}
            error={notifiable}
            commentId={entry.comment_id}
            onFollow={onFollow}
          />
        </Suspense>
      </>
    );
  const reportId = notifiable.type === "report" ? notifiable.id : entry.report_id;
  if (reportId !== null)
    return (
      <>
        <Reads project={project} on={{ type: "reports", id: reportId }} />
        <Suspense fallback={<Skeleton rows={3} label="Loading the report" />}>
          <ReportTarget
            project={project}
            reportId={reportId}
            commentId={entry.comment_id}
            onFollow={onFollow}
          />
        </Suspense>
      </>
    );
  if (entry.epic_id !== null)
    return (
      <div className="flex flex-col gap-4 p-4">
        <Link
          to="/projects/$projectKey/epics/$epicId"
          params={{ projectKey: project.key, epicId: String(entry.epic_id) }}
          onClick={onFollow}
          className={buttonClass({ className: "self-start" })}
        >
          Open epic
          <ArrowRight aria-hidden size={16} />
        </Link>
        <LatestComments
          project={project}
          on={{ type: "epics", id: entry.epic_id }}
          commentId={entry.comment_id}
        />
      </div>
    );
  return <ProjectTarget project={project} type={type} onFollow={onFollow} />;
}

/** Reads a report or an error while the code that shows it loads. */
function Reads({ project, on }: { project: Project; on: { type: "reports" | "error_groups"; id: number } }) {
  const client = useQueryClient();
  const { type, id } = on;
  useEffect(() => {
    if (type === "reports") void client.prefetchQuery(reportQuery(project.id, String(id)));
    else void client.prefetchQuery(errorGroupQuery(project.id, id));
    void client.prefetchQuery(peopleQuery(project.id));
    void client.prefetchInfiniteQuery(commentsQuery(project.id, { type, id }));
  }, [client, project.id, type, id]);
  return null;
}

const ALERT_FIRED = 17;
const WEBHOOK_DISABLED = 18;

function ProjectTarget({
  project,
  type,
  onFollow,
}: {
  project: Project;
  type: Notification["type"];
  onFollow: () => void;
}) {
  const params = { projectKey: project.key };
  const link = { params, onClick: onFollow, className: buttonClass() };
  const toReports = type === 7 && project.features.reports && can(project, "reports:read");
  const readsErrors = project.features.error_tracking && can(project, "error-groups:read");
  const toErrors = type === 10 && readsErrors;
  /** Alerts about a project are about all its errors, or those of a release. */
  const toAllErrors = type === ALERT_FIRED && readsErrors;
  const toIntegrations = type === WEBHOOK_DISABLED && can(project, "project:update");
  const toEpics = (type === 2 || type === 4) && can(project, "epics:read");
  return (
    <div className="flex flex-col items-start gap-3 p-4">
      <p className="text-sm text-text-3">{project.key}</p>
      <p className="-mt-2 font-medium">{project.name}</p>
      {toReports ? (
        <Link to="/projects/$projectKey/triage" {...link}>
          Open triage
          <ArrowRight aria-hidden size={16} />
        </Link>
      ) : toErrors ? (
        <Link to="/projects/$projectKey/errors" search={{ sort: "first_seen" }} {...link}>
          Open new errors
          <ArrowRight aria-hidden size={16} />
        </Link>
      ) : toAllErrors ? (
        <Link to="/projects/$projectKey/errors" {...link}>
          Open errors
          <ArrowRight aria-hidden size={16} />
        </Link>
      ) : toIntegrations ? (
        <Link to="/projects/$projectKey/settings" search={{ section: "integrations" }} {...link}>
          Open integrations
          <ArrowRight aria-hidden size={16} />
        </Link>
      ) : toEpics ? (
        <Link to="/projects/$projectKey/epics" {...link}>
          Open epics
          <ArrowRight aria-hidden size={16} />
        </Link>
      ) : (
        <Link to="/projects/$projectKey" {...link}>
          Open project
          <ArrowRight aria-hidden size={16} />
        </Link>
      )}
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="max-w-[60ch] p-4 text-text-2">{children}</p>;
}
