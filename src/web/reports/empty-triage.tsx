import { useNavigate } from "@tanstack/react-router";
import { ArrowUpRight, CheckCheck, EyeOff, Plus, SearchX } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import { openDialog } from "../page/open-dialog.ts";
import { can } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import type { Triage } from "./use-triage.ts";

/** The view is empty, or no report matches the search. */
export function EmptyTriage({ project, triage }: { project: Project; triage: Triage }) {
  return (
    <div id="triage-empty" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto">
      <Message project={project} triage={triage} />
    </div>
  );
}

function Message({ project, triage: { view, viewText, query } }: { project: Project; triage: Triage }) {
  const navigate = useNavigate();
  if (query.trim() !== "")
    return (
      <EmptyState
        icon={SearchX}
        title="No matching reports"
        text={`No ${view} reports match “${query}”.`}
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
  return (
    <EmptyState
      icon={CheckCheck}
      title="Queue clear"
      text="There are no reports to triage. New reports from people and systems appear here."
      action={
        can(project, "reports:create") && (
          <Button icon={Plus} shortcut="shift+r" onClick={() => openDialog({ kind: "new-report" })}>
            New report
          </Button>
        )
      }
    />
  );
}
