import type { Project } from "../../../shared/projects.ts";
import { useProjectIfAny, useProjects } from "./projects.ts";
import { byRecency } from "./recent-projects.ts";

/** The project in the address, else the most recent one, else the first. undefined if there is no project. */
export function useCurrentProject(): Project | undefined {
  const projects = useProjects();
  return useProjectIfAny() ?? byRecency(projects)[0];
}
