import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Permission } from "../../../shared/permissions.ts";
import type { Project } from "../../../shared/projects.ts";
import type { Workspace } from "../../../shared/workspaces.ts";
import { allPages } from "../../api/all-pages.ts";
import { ApiError } from "../../api/client.ts";

/** All projects the person can access. */
export const projectsQuery = queryOptions({
  queryKey: ["project", null, "list"],
  queryFn: ({ signal }) => allPages<Project>("/api/projects", 1_000, signal),
  staleTime: 5 * 60_000,
});

export const workspacesQuery = queryOptions({
  queryKey: ["workspace", null, "list"],
  queryFn: ({ signal }) => allPages<Workspace>("/api/workspaces", 200, signal),
  staleTime: 5 * 60_000,
});

export const useProjects = (): Project[] => useSuspenseQuery(projectsQuery).data;

export const useWorkspaces = (): Workspace[] => useQuery(workspacesQuery).data ?? [];

/** Addresses name a project by its key or id. */
export const findProject = (projects: readonly Project[], ref: string | undefined): Project | undefined =>
  projects.find(({ key, id }) => key === ref || String(id) === ref);

/** The project in the address, unless it does not exist or the person cannot access it. */
export function useProjectIfAny(): Project | undefined {
  const { projectKey } = useParams({ strict: false });
  return findProject(useProjects(), projectKey);
}

/** The project in the address, within the project's layout. */
export function useProject(): Project {
  const project = useProjectIfAny();
  if (!project)
    throw new ApiError(404, { message: "This project does not exist, or you don’t have access to it." });
  return project;
}

/** Whether the person has a permission in the project. */
export function can(project: Project, permission: Permission): boolean {
  return project.permissions.includes(permission);
}
