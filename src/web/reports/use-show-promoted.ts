import { useNavigate } from "@tanstack/react-router";
import type { Issue } from "../../shared/issues.ts";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { api } from "../api/client.ts";
import { can } from "../data/projects.ts";
import { toast } from "../kit/toast.ts";

/** Returns a function that names the issue to which reports were promoted, with a button that opens it. */
export function useShowPromoted(project: Project): (reports: readonly Report[]) => void {
  const navigate = useNavigate();
  const show = async (reports: readonly Report[]) => {
    const issueId = reports[0]?.promoted_issue_id ?? null;
    const title = reports.length === 1 ? "Promoted" : `${reports.length} reports promoted`;
    if (issueId === null || !can(project, "issues:read")) return toast({ title, tone: "success" });
    // Not as a query: the preview reads the same issue until the next report opens, and then cancels that query.
    const issue = await api
      .get<Issue>(`/api/projects/${project.id}/issues/${issueId}`)
      .catch(() => undefined);
    const issueKey = issue?.key ?? String(issueId);
    const name = issue?.key ?? "the issue";
    toast({
      title: `${title} to ${name}`,
      tone: "success",
      action: {
        label: `Open ${name}`,
        onSelect: () =>
          void navigate({
            to: "/projects/$projectKey/issues/$issueKey",
            params: { projectKey: project.key, issueKey },
          }),
      },
    });
  };
  return (reports) => void show(reports);
}
