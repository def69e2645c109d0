import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowUpRight, EyeOff, Plus, SearchX } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import { openDialog } from "../page/open-dialog.ts";
import { can } from "../data/projects/projects.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { feedbackCommand } from "../sending/curl-commands.ts";
import { IngestCommand } from "../sending/ingest-command.tsx";
import type { Triage } from "./use-triage.ts";

/** The view is empty, or no report matches the search. */
export function EmptyTriage({ project, triage }: { project: Project; triage: Triage }) {
  return (
    <div id="triage-empty" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <Message project={project} triage={triage} />
    </div>
  );
}

function Message({ project, triage: { view, viewText, query, kind } }: { project: Project; triage: Triage }) {
  const navigate = useNavigate();
  if (query.trim() !== "" || kind !== undefined)
    return (
      <EmptyState
        icon={SearchX}
        title="No matching reports"
        text={
          query.trim() === ""
            ? `No ${view} reports are of this kind.`
            : `No ${view} reports match “${query}”.`
        }
        action={
          <Button
            onClick={() =>
              void navigate({
                to: "/projects/$projectKey/triage",
                params: { projectKey: project.key },
                search: viewText === undefined ? {} : { view: viewText },
              })
            }
          >
            Clear filters
          </Button>
        }
      />
    );
  if (view === "promoted")
    return (
      <EmptyState
        icon={ArrowUpRight}
        title="No promoted reports"
        text="Reports that were promoted to issues appear here."
      />
    );
  if (view === "dismissed")
    return <EmptyState icon={EyeOff} title="No dismissed reports" text="Dismissed reports appear here." />;
  return <EmptyQueue project={project} />;
}

function EmptyQueue({ project }: { project: Project }) {
  // Without error tracking, a project has no ingest keys.
  const hasKeys = project.features.error_tracking;
  return (
    <EmptyState
      drawing="queue"
      title="Queue clear"
      text={`Feedback from your apps and reports from your team arrive here.${hasKeys ? " Run this in a terminal to send one." : ""}`}
      code={<IngestCommand project={project} label="Send feedback from an app" command={feedbackCommand} />}
      action={
        <>
          {can(project, "reports:create") && (
            <Button icon={Plus} shortcut="shift+r" onClick={() => openDialog({ kind: "new-report" })}>
              New report
            </Button>
          )}
          {hasKeys && (
            <Link
              to="/projects/$projectKey/settings"
              params={{ projectKey: project.key }}
              search={{ section: "ingestion" }}
              className={buttonClass({ variant: "quiet" })}
            >
              Ingest keys
            </Link>
          )}
        </>
      }
    />
  );
}
