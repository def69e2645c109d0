import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import type { Notification } from "../../shared/notifications.ts";
import type { Project } from "../../shared/projects.ts";
import { can, useProjects } from "../data/projects.ts";
import { buttonClass } from "../kit/button.tsx";
import { IssueTarget } from "./issue-target.tsx";

type Props = { entry: Notification; onFollow: () => void };

/** The target of an entry, if the user still has access to it. */
export function InboxTarget({ entry, onFollow }: Props) {
  const { notifiable, type } = entry;
  const projects = useProjects();
  const projectId = notifiable.type === "issue" ? notifiable.project_id : notifiable.id;
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
    return <IssueTarget project={project} issue={notifiable} onFollow={onFollow} />;
  return <ProjectTarget project={project} type={type} onFollow={onFollow} />;
}

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

export function Note({ children }: { children: ReactNode }) {
  return <p className="max-w-[60ch] p-4 text-text-2">{children}</p>;
}
