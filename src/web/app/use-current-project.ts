import { useParams } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import { useProjects } from "../projects/queries.ts";
import { recentProjects } from "../projects/recent.ts";

/** The project of the address; elsewhere the one opened last, or the first. undefined: there is none at all. */
export function useCurrentProject(): Project | undefined {
  const { projectKey } = useParams({ strict: false });
  const projects = useProjects();
  const named = projects.find(({ key, id }) => key === projectKey || String(id) === projectKey);
  if (named) return named;
  const recent = recentProjects();
  return projects.toSorted((a, b) => place(recent, a.key) - place(recent, b.key))[0];
}

const place = (recent: string[], key: string) => {
  const index = recent.indexOf(key);
  return index === -1 ? recent.length : index;
};
