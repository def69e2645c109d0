import { Link } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { useReports } from "../data/reports/reports.ts";
import { KIND_ICONS } from "../marks/kind-icons.ts";

type Props = { project: Project; report: Report; heading: "h2" | "h3" };

/** The reports that were dismissed as duplicates of this one, or of one of these. */
export function DuplicateReports({ project, report, heading: Heading }: Props) {
  const { data: reports = [] } = useReports(project.id);
  const ids = report.duplicate_report_ids;
  const titleId = `duplicates-of-${report.id}`;
  return (
    <section aria-labelledby={titleId} className="flex max-w-read flex-col gap-1">
      <Heading id={titleId} className="font-medium">
        Duplicates <span className="ms-0.5 text-sm font-normal text-text-3">{ids.length}</span>
      </Heading>
      <ul className="flex flex-col">
        {ids.map((id) => (
          <li key={id} className="flex min-w-0">
            <Link
              to="/projects/$projectKey/reports/$reportId"
              params={{ projectKey: project.key, reportId: String(id) }}
              className="flex min-h-7 min-w-0 items-center gap-2 rounded-sm hover:underline pointer-coarse:min-h-11"
            >
              <KIND_ICONS.report aria-hidden size={14} className="shrink-0 text-text-3" />
              <span className="shrink-0 text-sm text-text-3 tabular-nums">#{id}</span>
              <span dir="auto" className="min-w-0 truncate">
                {reports.find((report) => report.id === id)?.title}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
