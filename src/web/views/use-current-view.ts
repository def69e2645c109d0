import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import type { SavedView } from "../../shared/saved-views.ts";
import { useProjects } from "../data/projects/projects.ts";
import { viewsQuery } from "../data/projects/saved-views.ts";
import { useCurrentProject } from "../data/projects/use-current-project.ts";
import { viewAt } from "./view-address.ts";

/** The saved view or favorite on screen. The sidebar marks it instead of the list it belongs to. */
export function useCurrentView(): SavedView | undefined {
  const project = useCurrentProject();
  const projects = useProjects();
  const own = useQuery(viewsQuery(null)).data ?? [];
  const shared = useQuery({ ...viewsQuery(project?.id ?? null), enabled: project !== undefined }).data ?? [];
  const location = useRouterState({ select: ({ location: { pathname, search } }) => ({ pathname, search }) });
  return viewAt(location, [...own, ...shared], (id) => projects.find((one) => one.id === id)?.key);
}
