import { useParams } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import { useProjects } from "./projects.ts";
import { byRecency } from "./recent-projects.ts";

/** The project of the address; elsewhere the one opened last, or the first. undefined: there is none at all. */
export function useCurrentProject(): Project | undefined {
  const { projectKey } = useParams({ strict: false });
  const projects = useProjects();
  const named = projects.find(({ key, id }) => key === projectKey || String(id) === projectKey);
  return named ?? byRecency(projects)[0];
}
