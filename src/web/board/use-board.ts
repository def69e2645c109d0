import { useEffect, useMemo, useRef, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import type { Project } from "../../shared/projects.ts";
import { can } from "../data/projects/projects.ts";
import { useFirstFramePainted } from "../lists/use-first-frame-painted.ts";
import { focusLifted, useLift } from "../lists/use-lift.ts";
import { type Cell, cellsOf, type Grouping, type Swim } from "./board-cells.ts";
import type { CardActions } from "./card.tsx";
import { useBoardKeys } from "./use-board-keys.ts";
import { useBoardMoves } from "./use-board-moves.ts";
import { useCollapsedLanes } from "./use-collapsed-lanes.ts";

/** How many cards of each cell the first frame renders: more than fit into most windows. */
const FIRST_CARDS = 16;

type Options = {
  project: Project;
  lanes: readonly Lane[];
  issues: readonly Issue[];
  visible: readonly Issue[];
  grouping: Grouping | undefined;
  swims: readonly Swim[];
};

/** The cells of a board, which of their cards are shown, and how cards are moved, focused and opened. */
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
  const isFirstFramePainted = useFirstFramePainted();

  const actions = useLatest({
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
  const cardsOf = ({ id: cell }: Cell) => {
    const cards = lift.lists.find(({ id }) => id === cell)?.items ?? [];
    if (isFirstFramePainted) return cards;
    // The tab stop takes the focus on return to the board.
    return cards.slice(0, Math.max(FIRST_CARDS, cards.indexOf(String(keys.list.tabStop)) + 1));
  };
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

/** Functions that stay the same on every render and call the latest handlers. */
function useLatest(handlers: CardActions): CardActions {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const [stable] = useState<CardActions>(() => ({
    onFocus: (...args) => latest.current.onFocus(...args),
    onBlur: (...args) => latest.current.onBlur(...args),
    onKeyDown: (...args) => latest.current.onKeyDown(...args),
    onMenu: (...args) => latest.current.onMenu(...args),
    onDrop: (...args) => latest.current.onDrop(...args),
  }));
  return stable;
}
