import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { CircleDot } from "lucide-react";
import type { Project } from "../../../shared/projects.ts";
import { issueQuery } from "../../data/issues/issues.ts";
import { can } from "../../data/projects/projects.ts";

/** The issue that a group was promoted to. Its title is shown only to users who may read issues. */
export function LinkedIssue({ project, issueId }: { project: Project; issueId: number }) {
  const may = can(project, "issues:read");
  const { data: issue } = useQuery({ ...issueQuery(project.id, issueId), enabled: may });
  if (!may) return <span>Linked to an issue</span>;
  return (
    <Link
      to="/projects/$projectKey/issues/$issueKey"
      params={{ projectKey: project.key, issueKey: issue?.key ?? String(issueId) }}
      className="flex min-w-0 items-center gap-1.5 rounded-sm text-accent-text hover:underline"
    >
      <CircleDot aria-hidden size={14} className="shrink-0" />
      <span className="shrink-0 font-medium">{issue?.key ?? "Issue"}</span>
      {issue && (
        <span dir="auto" className="min-w-0 truncate text-text-2" title={issue.title}>
          {issue.title}
        </span>
      )}
    </Link>
  );
}
