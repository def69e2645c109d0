import { type KeyboardEvent, useMemo } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { arrowTarget } from "../board/arrow-target.ts";
import { useCommand } from "../keys/commands.ts";
import { useList } from "../lists/use-list.ts";
import { useStepKeys } from "../lists/use-list-keys.ts";
import { type Side, usePlanLift } from "./use-plan-lift.ts";
import { usePlanMoves } from "./use-plan-moves.ts";

type Options = {
  sprint: Sprint;
  /** Both in the order of the board. */
  issuesOf: Record<Side, readonly Issue[]>;
  movable: boolean;
};

const SIDES = ["backlog", "sprint"] as const;

const idsOf = (issues: readonly Issue[]) => issues.map(({ id }) => String(id));

/** The two lists as one, with its cursor and selection: which issues each side shows, and how they are moved. */
export function usePlanBoard({ sprint, issuesOf, movable }: Options) {
  const { backlog, sprint: planned } = issuesOf;
  const names = { backlog: "Backlog", sprint: sprint.name };
  const rows = useMemo(() => [...backlog, ...planned], [backlog, planned]);
  const list = useList({ rows });
  const { sideOf, move } = usePlanMoves(sprint, list);
  const withSelected = (issue: Issue) => (list.isSelected(issue.id) ? list.selected : [issue]);
  const lift = usePlanLift({
    names,
    sideOf,
    withSelected,
    onMove: (ids, to) =>
      void move(
        rows.filter(({ id }) => ids.includes(id)),
        to,
      ),
  });
  const isLifted = ({ id }: Issue) => lift.lifted?.ids.includes(id) ?? false;

  useStepKeys(list, "issue");
  useCommand("select", () => list.current && movable && list.toggle(list.current.id), {
    enabled: movable && list.current !== undefined,
  });
  useCommand("close", list.clearSelection, {
    label: "Clear selection",
    enabled: list.selected.length > 0 && lift.lifted === null,
  });

  return {
    names,
    issuesOf,
    list,
    sideOf,
    isLifted,
    onBlur: lift.onBlur,
    move: (issues: readonly Issue[], to: Side) => void move(issues, to),
    drop: (id: number, to: Side) => {
      const issue = rows.find((row) => row.id === id);
      if (issue) void move(withSelected(issue), to);
    },
    shown: (side: Side): readonly Issue[] => {
      if (lift.lifted === null) return issuesOf[side];
      const others = issuesOf[side].filter((issue) => !isLifted(issue));
      if (lift.lifted.at !== side) return others;
      return lift.lifted.from === side ? issuesOf[side] : [...rows.filter(isLifted), ...others];
    },
    onKeyDown: (issue: Issue, event: KeyboardEvent) => {
      if (movable) lift.onKeyDown(issue, event);
      if (event.defaultPrevented || event.target !== event.currentTarget) return;
      if (!event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const lists = SIDES.map((side) => ({ id: side, name: names[side], items: idsOf(issuesOf[side]) }));
      const target = rows.find(({ id }) => String(id) === arrowTarget(lists, String(issue.id), event.key));
      if (target === undefined) return;
      const isUpOrDown = event.key === "ArrowUp" || event.key === "ArrowDown";
      if (event.shiftKey && movable && isUpOrDown) list.select([...list.selected, issue, target]);
      list.moveTo(target.id);
    },
  };
}

export type PlanBoardState = ReturnType<typeof usePlanBoard>;
