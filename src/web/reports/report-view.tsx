import { type ReactNode, Suspense } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { can } from "../data/projects/projects.ts";
import { Badge } from "../kit/badge.tsx";
import { countOf } from "../kit/count-text.ts";
import { deferredPart } from "../kit/lazy-part.tsx";
import { Markdown } from "../kit/markdown/markdown.tsx";
import { PageTitle } from "../kit/page-title.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { Time } from "../kit/dates/time.tsx";
import { ImportedFrom } from "../marks/imported-from.tsx";
import { REPORT_KIND_MARKS } from "../marks/report-kind.ts";
import { usePeople } from "../data/projects/people.ts";
import { Attachments } from "./attachments.tsx";
import { AuthorAddress } from "./author-address.tsx";
import { ReportAttach, ReportDropArea } from "./report-attach.tsx";
import { EarlierDismissals } from "./earlier-dismissals.tsx";
import { ReportState } from "./report-state.tsx";
import { ReportAuthor } from "./report-author.tsx";
import { useAuthors, useReporter } from "./use-authors.ts";

type Props = {
  project: Project;
  report: Report;
  /** With the title and the actions. */
  head: ReactNode;
  /** The fields to decide with, below the words of the report. */
  decision?: ReactNode;
  /** The heading level of the title; sections are one level below. */
  level: 1 | 2;
  /** Whether the comments follow. */
  comments?: boolean;
};

const ProgressOfReport = deferredPart(
  async () => (await import("../lifecycle/progress.tsx")).ProgressOfReport,
);
const ReportErrors = deferredPart(async () => (await import("./report-errors.tsx")).ReportErrors);
const ReportOrigin = deferredPart(async () => (await import("./report-origin.tsx")).ReportOrigin);
const DuplicateReports = deferredPart(async () => (await import("./duplicate-reports.tsx")).DuplicateReports);
// The editor is larger than the rest of the report.
const Comments = deferredPart(async () => (await import("../comments/comments.tsx")).Comments);

/** A report: author, description, files and comments. */
export function ReportView({ project, report, head, decision, level, comments = true }: Props) {
  const authorOf = useAuthors(project.id);
  const reporter = useReporter(project.id, report);
  const people = usePeople(project.id);
  const Heading = level === 1 ? "h2" : "h3";
  const mayAttach = can(project, "attachments:create");
  return (
    <ReportDropArea report={report} disabled={!mayAttach}>
      {head}
      <div className="flex flex-col gap-5 px-4 py-4">
        {level === 1 && <PageTitle>{report.title}</PageTitle>}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-text-2">
          {report.kind !== null && (
            <Badge icon={REPORT_KIND_MARKS[report.kind].icon}>{REPORT_KIND_MARKS[report.kind].label}</Badge>
          )}
          <ReportAuthor author={authorOf(report)} />
          <AuthorAddress report={report} />
          <Time at={report.created_at} className="text-text-3" />
          <ImportedFrom origin={report.imported_from} />
          {report.voices > 1 && <span className="text-text-3">{countOf(report.voices, "voice")}</span>}
        </div>
        {report.promoted_issue_id !== null && can(project, "issues:read") && (
          <Suspense fallback={<div className="h-5" />}>
            <ProgressOfReport project={project} report={report} />
          </Suspense>
        )}
        <ReportState project={project} report={report} />
        {report.error_group_ids.length > 0 && (
          <Suspense fallback={null}>
            <ReportErrors project={project} report={report} />
          </Suspense>
        )}
        <EarlierDismissals project={project} report={report} />
        <div className="max-w-read text-read">
          <Markdown text={report.description} mentions={people.all.map(({ username }) => username)} />
        </div>
        {report.origin !== null && (
          <Suspense fallback={null}>
            <ReportOrigin project={project} origin={report.origin} />
          </Suspense>
        )}
        {decision && <div className="-mx-4 border-t border-line">{decision}</div>}
        {report.duplicate_report_ids.length > 0 && (
          <Suspense fallback={null}>
            <DuplicateReports project={project} report={report} heading={Heading} />
          </Suspense>
        )}
        <section aria-labelledby={`files-of-${report.id}`} className="flex max-w-read flex-col gap-2">
          <Heading id={`files-of-${report.id}`} className="font-medium">
            Files{" "}
            {report.attachments_count > 0 && (
              <span className="ms-0.5 text-sm font-normal text-text-3">{report.attachments_count}</span>
            )}
          </Heading>
          <Attachments report={report} />
          {mayAttach && <ReportAttach report={report} />}
        </section>
        {comments && (
          <div className="max-w-read">
            <Suspense fallback={<Skeleton rows={2} lines={2} label="Loading the comments" />}>
              <Comments
                key={report.id}
                project={project}
                on={{ type: "reports", id: report.id }}
                isSub={level === 2}
                reporter={reporter}
              />
            </Suspense>
          </div>
        )}
      </div>
    </ReportDropArea>
  );
}
