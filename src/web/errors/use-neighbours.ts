import { useNavigate } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import { useProjects } from "../data/projects.ts";
import { useShownErrors } from "./use-shown-errors.ts";
import type { View } from "./view.ts";

/**
 * The groups before and after this one in the list it was opened from. They keep their places while one goes through
 * them, though a resolved one is in the list no more.
 */
export function useNeighbours(project: Project, id: number, view: View & { from?: string }) {
  const isAll = view.from === "all";
  const projects = useProjects();
  const navigate = useNavigate();
  const { groups, ids } = useShownErrors(isAll ? null : project, view, { keep: true });
  const place = ids.indexOf(id);
  const go = (target: number | undefined) => {
    const group = groups.find((one) => one.id === target);
    const of = projects.find((one) => one.id === group?.project_id);
    if (group && of)
      void navigate({
        to: "/projects/$projectKey/errors/$errorGroupId",
        params: { projectKey: of.key, errorGroupId: String(group.id) },
        search: view,
        replace: true,
      });
  };
  const previous = place > 0 ? ids[place - 1] : undefined;
  const next = place === -1 ? undefined : ids[place + 1];
  return {
    place: place + 1,
    of: ids.length,
    previous: previous === undefined ? undefined : () => go(previous),
    next: next === undefined ? undefined : () => go(next),
  };
}
