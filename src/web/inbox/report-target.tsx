import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import { ApiError } from "../api/client.ts";
import { useReport } from "../data/reports/reports.ts";
import { buttonClass } from "../kit/button.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { QueryError } from "../page/query-error.tsx";
import { LatestComments } from "./latest-comments.tsx";
import { ReportView } from "../reports/report-view.tsx";
import { useReporter } from "../reports/use-authors.ts";

type Props = {
  project: Project;
  reportId: number;
  /** The comment that the notification is about. */
  commentId: number | null;
  onFollow: () => void;
};

/** The report with its text and files. */
export function ReportTarget({ project, reportId, commentId, onFollow }: Props) {
  const { data: report, error, refetch } = useReport(project.id, String(reportId));
  const reporter = useReporter(project.id, report);
  if (error instanceof ApiError && error.status === 404)
    return (
      <p className="max-w-[60ch] p-4 text-text-2">
        This report was deleted, or you no longer have access to it. The notification stays until you delete
        it.
      </p>
    );
  if (report === undefined)
    return error ? (
      <QueryError error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton rows={3} label="Loading the report" />
    );
  return (
    // A box that the pane does not shrink, so that the comments stay below a long report.
    <div>
      <ReportView
        project={project}
        report={report}
        level={2}
        comments={false}
        head={
          <div className="flex flex-wrap items-start gap-3 px-4 pt-4">
            <div className="min-w-0 flex-1">
              <p className="text-sm text-text-3">
                Report #{report.id} · {project.name}
              </p>
              <h3 dir="auto" className="text-read font-semibold [overflow-wrap:anywhere]">
                {report.title}
              </h3>
            </div>
            <Link
              to="/projects/$projectKey/reports/$reportId"
              params={{ projectKey: project.key, reportId: String(report.id) }}
              className={buttonClass()}
              onClick={onFollow}
            >
              Open report
              <ArrowRight aria-hidden size={16} />
            </Link>
          </div>
        }
      />
      <div className="border-t border-line p-4">
        <LatestComments
          project={project}
          on={{ type: "reports", id: report.id }}
          commentId={commentId}
          reporter={reporter}
        />
      </div>
    </div>
  );
}
