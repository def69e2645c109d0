import { useQueries } from "@tanstack/react-query";
import type { RefObject } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { FilesSection } from "../../attachments/files-section.tsx";
import { can } from "../../data/projects/projects.ts";
import { attachmentsQuery, reportsPath } from "../../data/reports/reports.ts";

/** The screenshots of at most this many linked reports are shown. */
const MAX_REPORTS = 6;

type Props = { project: Project; issue: Issue; input: RefObject<HTMLInputElement | null> };

/** The files of an issue, and the screenshots of the reports that were promoted to it. */
export function IssueFiles({ project, issue, input }: Props) {
  const readsReports = project.features.reports && can(project, "reports:read");
  const ids = readsReports ? issue.report_ids.slice(0, MAX_REPORTS) : [];
  const screenshots = useQueries({
    queries: ids.map((id) => attachmentsQuery(project.id, id)),
    combine: (results) =>
      results.flatMap(({ data = [] }, index) =>
        data
          .filter(({ mime_type }) => mime_type.startsWith("image/"))
          .map((image) => ({
            ...image,
            url: `${reportsPath(project.id)}/${ids[index]}/attachments/${image.id}/download`,
            source: `#${ids[index]}`,
          })),
      ),
  });
  return (
    <FilesSection
      project={project}
      attachments={issue.attachments}
      more={screenshots}
      input={input}
      of={{
        kind: "issue",
        project_id: project.id,
        id: issue.id,
        path: `/api/projects/${project.id}/issues/${issue.id}`,
      }}
    />
  );
}
