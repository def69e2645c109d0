import { useNavigate } from "@tanstack/react-router";
import { useCommand, usePaletteCommand } from "../keys/commands.ts";
import { undoLast } from "../kit/notices/toast.ts";
import { can } from "../data/projects/projects.ts";
import { openDialog } from "../page/open-dialog.ts";
import { toggleSidebar } from "./narrow-sidebar.ts";
import { useCurrentProject } from "../data/projects/use-current-project.ts";

/** Shortcuts that work on every page. */
export function GlobalCommands() {
  const navigate = useNavigate();
  const project = useCurrentProject();
  const params = { projectKey: project?.key ?? "" };
  const reports = project !== undefined && project.features.reports;
  const reads = (permission: Parameters<typeof can>[1]) => project !== undefined && can(project, permission);

  useCommand("palette", () => openDialog({ kind: "palette" }));
  useCommand("search", () => openDialog({ kind: "palette" }));
  useCommand("help", () => openDialog({ kind: "shortcuts" }));
  useCommand("sidebar", toggleSidebar);
  useCommand("undo", undoLast);
  useCommand("newIssue", () => openDialog({ kind: "new-issue" }), { enabled: reads("issues:create") });
  useCommand("newReport", () => openDialog({ kind: "new-report" }), {
    enabled: reports && reads("reports:create"),
  });

  useCommand("goHome", () => void navigate({ to: "/" }));
  useCommand("goInbox", () => void navigate({ to: "/notifications" }));
  useCommand("goMine", () => void navigate({ to: "/my-issues" }));
  useCommand("goTriage", () => void navigate({ to: "/projects/$projectKey/triage", params }), {
    enabled: reports && reads("reports:read"),
  });
  const errors = {
    enabled: project !== undefined && project.features.error_tracking && reads("error-groups:read"),
  };
  useCommand("goErrors", () => void navigate({ to: "/projects/$projectKey/errors", params }), errors);
  useCommand("goReleases", () => void navigate({ to: "/projects/$projectKey/releases", params }), errors);
  useCommand("goMonitors", () => void navigate({ to: "/projects/$projectKey/monitors", params }), errors);
  const issues = { enabled: reads("issues:read") };
  useCommand("goBoard", () => void navigate({ to: "/projects/$projectKey/board", params }), issues);
  useCommand("goList", () => void navigate({ to: "/projects/$projectKey/issues", params }), issues);
  useCommand("goSprint", () => void navigate({ to: "/projects/$projectKey/sprints", params }), issues);
  useCommand("goEpics", () => void navigate({ to: "/projects/$projectKey/epics", params }), {
    enabled: reads("epics:read"),
  });
  useCommand("goSettings", () => void navigate({ to: "/projects/$projectKey/settings", params }), {
    enabled: project !== undefined,
  });

  usePaletteCommand("profile", "Open your profile", () => void navigate({ to: "/settings/profile" }));
  usePaletteCommand(
    "preferences",
    "Notification preferences",
    () => void navigate({ to: "/settings/notifications" }),
  );
  usePaletteCommand("new-project", "New project", () => openDialog({ kind: "new-project" }));
  usePaletteCommand(
    "overview",
    `Overview of ${project?.name ?? ""}`,
    () => void navigate({ to: "/projects/$projectKey", params }),
    project !== undefined,
  );
  const mayManage = reads("project:update");
  usePaletteCommand(
    "integrations",
    `Integrations of ${project?.name ?? ""}`,
    () =>
      void navigate({ to: "/projects/$projectKey/settings", params, search: { section: "integrations" } }),
    mayManage,
  );
  usePaletteCommand(
    "alert-rules",
    `Alert rules of ${project?.name ?? ""}`,
    () => void navigate({ to: "/projects/$projectKey/settings", params, search: { section: "alerts" } }),
    mayManage,
  );
  usePaletteCommand("all-errors", "All errors", () => void navigate({ to: "/errors" }));
  return null;
}
