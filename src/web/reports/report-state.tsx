import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { issueQuery } from "../data/issues/issues.ts";
import { can } from "../data/projects/projects.ts";
import { Time } from "../kit/dates/time.tsx";
import { WaitingMark } from "../lists/waiting-mark.tsx";
import { OriginalLink } from "./original-link.tsx";
import { reasonLabel } from "../data/reports/dismiss-reasons.ts";
import { viewOf } from "./report-views.ts";

/** How a report was closed; nothing while it is active. */
export function ReportState({ project, report }: { project: Project; report: Report }) {
  const view = viewOf(report);
  if (view === "active") return null;
  if (view === "promoted") return <Promoted project={project} report={report} />;
  return (
    <Note icon={<EyeOff size={16} aria-hidden className="mt-0.5 shrink-0 text-ignored" />}>
      <p>
        <span className="font-medium">Dismissed</span>
        {report.dismiss_reason !== null && `: ${reasonLabel(report.dismiss_reason).toLowerCase()}`}
        {report.duplicate_of !== null && (
          <>
            {" of "}
            <OriginalLink project={project} original={report.duplicate_of} />
          </>
        )}
        {" · "}
        <Time at={report.dismissed_at} className="text-text-3" />{" "}
        <span className="inline-flex align-middle">
          <WaitingMark kind="report" id={report.id} />
        </span>
      </p>
      {report.dismiss_reason_note !== null && (
        <p dir="auto" className="whitespace-pre-wrap text-text-2">
          {report.dismiss_reason_note}
        </p>
      )}
    </Note>
  );
}

function Promoted({ project, report }: { project: Project; report: Report }) {
  const issueId = report.promoted_issue_id;
  const { data: issue } = useQuery({
    ...issueQuery(project.id, issueId ?? 0),
    enabled: issueId !== null && can(project, "issues:read"),
  });
  return (
    <Note icon={<ArrowUpRight size={16} aria-hidden className="mt-0.5 shrink-0 text-resolved" />}>
      <p className="min-w-0">
        <span className="font-medium">Promoted</span>
        {issueId === null && " to an issue that was deleted"}
        {issueId !== null && can(project, "issues:read") && (
          <>
            {" to "}
            <Link
              to="/projects/$projectKey/issues/$issueKey"
              params={{ projectKey: project.key, issueKey: issue?.key ?? String(issueId) }}
              className="text-accent-text underline"
            >
              {issue === undefined ? "its issue" : `${issue.key} ${issue.title}`}
            </Link>
          </>
        )}
        {" · "}
        <Time at={report.promoted_at} className="text-text-3" />
      </p>
    </Note>
  );
}

function Note({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-canvas px-3 py-2">
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
