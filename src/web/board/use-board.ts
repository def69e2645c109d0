import { useEffect, useMemo, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import type { Project } from "../../shared/projects.ts";
import { can } from "../data/projects/projects.ts";
import { useLatest } from "../lists/use-latest.ts";
import { focusLifted, useLift } from "../lists/use-lift.ts";
import { type Cell, cellsOf, type Grouping, type Swim } from "./board-cells.ts";
import type { CardActions } from "./card.tsx";
import { useBoardKeys } from "./use-board-keys.ts";
import { useBoardMoves } from "./use-board-moves.ts";
import { useCollapsedLanes } from "./use-collapsed-lanes.ts";

type Options = {
  project: Project;
  lanes: readonly Lane[];
  issues: readonly Issue[];
  visible: readonly Issue[];
  grouping: Grouping | undefined;
  swims: readonly Swim[];
};

/** The cells of a board, their cards, and how cards are moved, focused and opened. */
export function useBoard({ project, lanes, issues, visible, grouping, swims }: Options) {
  const movable = can(project, "issues:update");
  const [showAllDone, setShowAllDone] = useState(false);
  const [now] = useState(() => Date.now());
  const [menu, setMenu] = useState<{ id: number; anchor: HTMLElement }>();
  const cells = useMemo(
    () => cellsOf(lanes, swims, visible, { grouping, showAllDone, now }),
    [lanes, swims, visible, grouping, showAllDone, now],
  );
  const byId = useMemo(() => new Map(issues.map((issue) => [issue.id, issue])), [issues]);
  const moves = useBoardMoves({ projectId: project.id, cells, issues, grouping });
  const { collapsed, toggle } = useCollapsedLanes(project.id);
  // The keys skip collapsed lanes, which show no cards.
  const lists = useMemo(
    () => moves.lists.filter((_, index) => !collapsed.has(cells[index]?.lane.id ?? 0)),
    [moves.lists, cells, collapsed],
  );
  const lift = useLift(lists, moves.moveTo);
  useEffect(() => focusLifted(lift.lifted?.id), [lift.lifted]);
  const keys = useBoardKeys({ lists: lift.lists, byId, movable, moves });

  const actions = useLatest<CardActions>({
    onFocus: keys.list.setCursor,
    onBlur: (id) => lift.itemProps(String(id)).onBlur(),
    onKeyDown: (id, event) => {
      if (movable) lift.itemProps(String(id)).onKeyDown(event);
      // A card that returns to its lane is mounted again and loses the focus.
      if (event.defaultPrevented) keys.list.focusWhen();
      else keys.onArrow(id, event);
    },
    onMenu: (id, anchor) => setMenu({ id, anchor }),
    onDrop: (dragged, onto, edge) => moves.dropOnto(dragged, String(onto), edge),
  });
  const cardsOf = ({ id: cell }: Cell) => lift.lists.find(({ id }) => id === cell)?.items ?? [];
  const showAll = () => setShowAllDone(true);
  return {
    movable,
    cells,
    byId,
    moves,
    collapsed,
    toggle,
    lift,
    keys,
    actions,
    cardsOf,
    showAll,
    menu,
    setMenu,
  };
}

export type BoardState = ReturnType<typeof useBoard>;
