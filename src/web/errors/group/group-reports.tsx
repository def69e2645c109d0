import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { can } from "../../data/projects/projects.ts";
import { reportsOfErrorQuery } from "../../data/reports/reports.ts";
import { Section } from "./group-facts.tsx";

/** The reports of users that came with this error; nothing if there are none. */
export function GroupReports({ group, project }: { group: ErrorGroup; project: Project }) {
  const may = project.features.reports && can(project, "reports:read");
  const { data: reports = [] } = useQuery({ ...reportsOfErrorQuery(project.id, group.id), enabled: may });
  if (reports.length === 0) return null;
  return (
    <Section title={reports.length === 1 ? "1 report" : `${reports.length} reports`}>
      <ul aria-label="Reports" className="flex flex-col gap-1">
        {reports.map(({ id, title }) => (
          <li key={id}>
            <Link
              to="/projects/$projectKey/reports/$reportId"
              params={{ projectKey: project.key, reportId: String(id) }}
              dir="auto"
              className="block min-h-6 truncate rounded-sm text-accent-text hover:underline"
              title={title}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
