import { useEffect } from "react";
import { useNavigate } from "@tanstack/react-router";
import type { Project } from "../../../shared/projects.ts";
import { useProjects } from "../../data/projects/projects.ts";
import { useShownErrors } from "../use-shown-errors.ts";
import type { View } from "../view.ts";

/**
 * The groups before and after this one in the list it was opened from. Their order is kept while the user steps through
 * them: a group that has been resolved and left the tab still counts.
 */
export function useAdjacentErrors(project: Project, id: number, view: View & { from?: string }) {
  const isAll = view.from === "all";
  const projects = useProjects();
  const navigate = useNavigate();
  const { list, groups, ids, loadMore } = useShownErrors(isAll ? null : project, view, { cachedOnly: true });
  const index = ids.indexOf(id);
  useEffect(() => {
    if (index !== -1 && index === ids.length - 1) loadMore();
  });
  const open = (target: number | undefined) => {
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
  const previous = index > 0 ? ids[index - 1] : undefined;
  const next = index === -1 ? undefined : ids[index + 1];
  return {
    /** From 1; 0 when the group is not in the list. */
    position: index + 1,
    count: list.hasNextPage ? `${ids.length}+` : String(ids.length),
    previous: previous === undefined ? undefined : () => open(previous),
    next: next === undefined ? undefined : () => open(next),
  };
}
