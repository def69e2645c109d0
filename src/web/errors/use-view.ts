import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import { useProjects } from "../data/projects.ts";
import { given } from "../page/search-params.ts";
import type { ErrorGroupsFilter } from "../data/error-groups.ts";
import type { View } from "./view.ts";

export type ListSearch = View & { peek?: string };

/** What the address says about the list, and how to change it. */
export function useView() {
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: ListSearch) =>
    void navigate({
      to: ".",
      search: (before) => given({ ...before, ...changes }),
      replace: true,
      resetScroll: false,
    });
  return { search, change };
}

/** The filters of a view that the server applies; an unknown project is none. */
export function useServerFilter(project: Project | null, view: View): ErrorGroupsFilter {
  const projects = useProjects();
  const named = project === null ? projects.find(({ key }) => key === view.project) : undefined;
  return {
    ...given({
      query: view.query ?? "",
      environment: view.environment ?? "",
      release: view.release ?? "",
    }),
    ...(named === undefined ? {} : { project_id: named.id }),
  };
}

/** The part of an address that a group's page keeps of its list. */
export function listOf({
  tab = "",
  query = "",
  environment = "",
  release = "",
  project = "",
  sort = "",
}: View): View {
  return given({ tab, query, environment, release, project, sort });
}

/** The same for a link to a group, which says too whether the list is that of all projects. */
export function listSearch(view: View, isAll: boolean): View & { from?: string } {
  return { ...listOf(view), ...(isAll ? { from: "all" } : {}) };
}
