import { useNavigate } from "@tanstack/react-router";
import { ArrowUpRight, CheckCheck, EyeOff, Plus, SearchX } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import { openDialog } from "../page/open-dialog.ts";
import { can } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import type { Triage } from "./use-triage.ts";

/** Nothing in the view, or nothing that was searched for. */
export function EmptyTriage({ project, triage }: { project: Project; triage: Triage }) {
  return (
    <div id="triage-empty" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto">
      <Words project={project} triage={triage} />
    </div>
  );
}

function Words({ project, triage: { view, viewText, query } }: { project: Project; triage: Triage }) {
  const navigate = useNavigate();
  if (query.trim() !== "")
    return (
      <EmptyState
        icon={SearchX}
        title="No report found"
        text={`No ${view} report has “${query}” in its title, description or author.`}
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
        title="Nothing promoted"
        text="Reports that became issues are listed here."
      />
    );
  if (view === "dismissed")
    return (
      <EmptyState icon={EyeOff} title="Nothing dismissed" text="Reports that were dismissed are kept here." />
    );
  return (
    <EmptyState
      icon={CheckCheck}
      title="Queue clear"
      text="No report waits for a decision. What people and other systems report appears here."
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
