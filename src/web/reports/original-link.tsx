import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import type { Original } from "../../shared/reports.ts";
import { issueQuery } from "../data/issues/issues.ts";
import { can } from "../data/projects/projects.ts";
import { useReport } from "../data/reports/reports.ts";

/** A link to the report or issue that a dismissed report duplicates. */
export function OriginalLink({ project, original }: { project: Project; original: Original }) {
  const { report_id, issue_id } = original;
  const readsIssue = issue_id !== null && can(project, "issues:read");
  const { data: issue } = useQuery({ ...issueQuery(project.id, issue_id ?? 0), enabled: readsIssue });
  const { data: report } = useReport(project.id, String(report_id), report_id !== null);
  if (report_id !== null)
    return (
      <Link
        to="/projects/$projectKey/reports/$reportId"
        params={{ projectKey: project.key, reportId: String(report_id) }}
        className="text-accent-text underline"
      >
        {`#${report_id}${report === undefined ? "" : ` ${report.title}`}`}
      </Link>
    );
  if (!readsIssue) return "an issue";
  return (
    <Link
      to="/projects/$projectKey/issues/$issueKey"
      params={{ projectKey: project.key, issueKey: issue?.key ?? String(issue_id) }}
      className="text-accent-text underline"
    >
      {issue === undefined ? "an issue" : `${issue.key} ${issue.title}`}
    </Link>
  );
}
