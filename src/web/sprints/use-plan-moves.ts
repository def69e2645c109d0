import { useQueryClient } from "@tanstack/react-query";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { assignSprint } from "../data/issues/assign-sprint.ts";
import { useProject } from "../data/projects/projects.ts";
import { showFailure } from "../forms/show-failure.ts";
import { beginChange, toast } from "../kit/notices/toast.ts";
import type { List } from "../lists/use-list.ts";
import type { Side } from "./use-plan-lift.ts";

/** Moves issues between the backlog and a sprint, with a message that can undo it. */
export function usePlanMoves(sprint: Sprint, list: List<Issue>) {
  const project = useProject();
  const client = useQueryClient();
  const sideOf = ({ sprint_id }: Issue): Side => (sprint_id === sprint.id ? "sprint" : "backlog");
  const move = async (issues: readonly Issue[], to: Side) => {
    const moved = issues.filter((issue) => sideOf(issue) !== to);
    if (moved.length === 0) return;
    list.advancePast(
      moved.map(({ id }) => id),
      { stay: true },
    );
    const targets = { backlog: null, sprint: sprint.id };
    const what = moved.length === 1 ? (moved[0]?.key ?? "") : `${moved.length} issues`;
    const subjects = moved.map(({ id }) => `issue:${id}`);
    const assign = (sprintId: number | null) => assignSprint(client, project.id, moved, sprintId);
    const failed = (error: unknown) => showFailure(`${what} could not be moved`, error, subjects);
    const change = beginChange();
    try {
      await assign(targets[to]);
    } catch (error) {
      change.failed();
      return failed(error);
    }
    toast({
      title: to === "sprint" ? `${what} added to ${sprint.name}` : `${what} moved to the backlog`,
      subjects,
      change,
      undo: () => assign(targets[to === "sprint" ? "backlog" : "sprint"]).catch(failed),
    });
  };
  return { sideOf, move };
}
