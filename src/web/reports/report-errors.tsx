import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { errorGroupQuery } from "../data/errors/error-groups.ts";
import { can } from "../data/projects/projects.ts";
import { KIND_ICONS } from "../marks/kind-icons.ts";

/** The errors that the report came with; nothing without the permission to read errors. */
export function ReportErrors({ project, report }: { project: Project; report: Report }) {
  if (!project.features.error_tracking || !can(project, "error-groups:read")) return null;
  return (
    <ul aria-label="Errors of this report" className="flex max-w-read flex-col gap-1">
      {report.error_group_ids.map((id) => (
        <li key={id}>
          <ErrorLink project={project} id={id} />
        </li>
      ))}
    </ul>
  );
}

function ErrorLink({ project, id }: { project: Project; id: number }) {
  const { data: group } = useQuery(errorGroupQuery(project.id, id));
  return (
    <Link
      to="/projects/$projectKey/errors/$errorGroupId"
      params={{ projectKey: project.key, errorGroupId: String(id) }}
      className="flex min-h-6 min-w-0 items-center gap-1.5 rounded-sm text-accent-text hover:underline"
    >
      <KIND_ICONS.error aria-hidden size={16} className="shrink-0" />
      <span className="shrink-0 font-medium">{group?.exception_class ?? `Error #${id}`}</span>
      {group && (
        <span dir="auto" className="min-w-0 truncate text-text-2">
          {group.latest_message}
        </span>
      )}
    </Link>
  );
}
