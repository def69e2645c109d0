import { useNavigate, useParams } from "@tanstack/react-router";
import { FolderOpen } from "lucide-react";
import { useEffect } from "react";
import type { Project } from "../../shared/projects.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { byRecency } from "../data/projects/recent-projects.ts";
import { EmptyState } from "../kit/empty-state.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { NotFoundPage } from "../page/not-found.tsx";
import { openDialog } from "../page/open-dialog.ts";

/** The shortcuts of the installed app that need a project. */
const SHORTCUTS = {
  "new-issue": { title: "New issue", fits: (project: Project) => can(project, "issues:create") },
  triage: {
    title: "Triage",
    fits: (project: Project) => project.features.reports && can(project, "reports:read"),
  },
} as const;

/** Opens a shortcut in the most recent project that has what it needs. */
export function ShortcutPage() {
  const { shortcut = "" } = useParams({ strict: false });
  const isKnown = Object.hasOwn(SHORTCUTS, shortcut);
  return isKnown ? <Shortcut name={shortcut as keyof typeof SHORTCUTS} /> : <NotFoundPage />;
}

function Shortcut({ name }: { name: keyof typeof SHORTCUTS }) {
  const { title, fits } = SHORTCUTS[name];
  const navigate = useNavigate();
  const projectKey = byRecency(useProjects()).find(fits)?.key;
  useEffect(() => {
    if (projectKey === undefined) return;
    const params = { projectKey };
    if (name === "triage")
      return void navigate({ to: "/projects/$projectKey/triage", params, replace: true });
    void navigate({ to: "/projects/$projectKey/issues", params, replace: true }).then(() =>
      openDialog({ kind: "new-issue" }),
    );
  }, [name, projectKey, navigate]);
  return (
    <>
      <PageHeader title={title} />
      {projectKey === undefined && (
        <EmptyState
          icon={<FolderOpen size={24} />}
          title="No project for this"
          text={
            name === "triage"
              ? "None of your projects has reports that you may read."
              : "None of your projects lets you create issues."
          }
        />
      )}
    </>
  );
}
