import { queryOptions, useQueries } from "@tanstack/react-query";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";
import { can } from "../projects/projects.ts";

/** An error of an issue. The key is that of `errorGroupQuery`, whose module has much more code. */
export const linkedGroupQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "one", id],
    queryFn: ({ signal }) => api.get<ErrorGroup>(`/api/projects/${projectId}/error-groups/${id}`, signal),
  });

/** The errors with these ids, as far as they have loaded; none without the permission to read them. */
export function useGroups(project: Project, ids: readonly number[]): ErrorGroup[] {
  const mayRead = project.features.error_tracking && can(project, "error-groups:read");
  return useQueries({
    queries: (mayRead ? ids : []).map((id) => linkedGroupQuery(project.id, id)),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
}
