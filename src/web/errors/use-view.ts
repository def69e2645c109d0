import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import { useProjects } from "../data/projects/projects.ts";
import { given } from "../page/search-params.ts";
import type { ErrorGroupsFilter } from "../data/errors/error-groups.ts";
import { serverFilter, type View, VIEW_PARAMETERS } from "./view.ts";

export type ListSearch = View & { peek?: string };

/** The view in the address, and how to change it. */
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

/** The filters of a view that the server applies. An unknown project is ignored. */
export function useServerFilter(project: Project | null, view: View): ErrorGroupsFilter {
  const projects = useProjects();
  const named = project === null ? projects.find(({ key }) => key === view.project) : undefined;
  return { ...serverFilter(view), ...(named === undefined ? {} : { project_id: named.id }) };
}

/** The part of the list's address that the page of a group keeps. */
const listOf = (view: View): View =>
  given(Object.fromEntries(VIEW_PARAMETERS.map((name) => [name, view[name]])));

/** The same for a link to a group, with `from` if the list is that of all projects. */
export function listSearch(view: View, isAll: boolean): View & { from?: string } {
  return { ...listOf(view), ...(isAll ? { from: "all" } : {}) };
}
