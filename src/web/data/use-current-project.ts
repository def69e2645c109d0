import { useParams } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import { useProjects } from "./projects.ts";
import { byRecency } from "./recent-projects.ts";

/** The project in the address, else the most recent one, else the first. undefined if there is no project. */
export function useCurrentProject(): Project | undefined {
  const { projectKey } = useParams({ strict: false });
  const projects = useProjects();
  const named = projects.find(({ key, id }) => key === projectKey || String(id) === projectKey);
  return named ?? byRecency(projects)[0];
}
