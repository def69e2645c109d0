import { withQuery } from "../api/client.ts";

type List = "issues" | "reports" | "error-groups" | "epics" | "sprints" | "releases";

/** The address of a CSV file with all rows of a project's list, or of a list across projects, that match the filters. */
export const csvOf = (
  projectId: number | null,
  list: List,
  filters: Record<string, string | number | boolean | undefined> = {},
): string =>
  withQuery(projectId === null ? `/api/${list}` : `/api/projects/${projectId}/${list}`, {
    ...filters,
    format: "csv",
  });

/** The address of an archive with everything in the project. */
export const exportOf = (projectId: number): string => `/api/projects/${projectId}/export`;
