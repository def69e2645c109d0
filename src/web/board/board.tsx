import { Fragment, type ReactNode, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import type { Project } from "../../shared/projects.ts";
import { isBlocked } from "../issues/blocked.ts";
import type { NewIssue } from "../data/issues/issues.ts";
import { QuickPick } from "../issues/lazy-quick-pick.tsx";
import type { IssueNames } from "../data/projects/use-issue-names.ts";
import { can } from "../data/projects/projects.ts";
import { cx } from "../kit/cx.ts";
import { RowMotion } from "../lists/row-motion.ts";
import { useFirstFramePainted } from "../lists/use-first-frame-painted.ts";
import { focusLifted, useLift } from "../lists/use-lift.ts";
import { BoardCell, CollapsedCell } from "./board-cell.tsx";
import { type Cell, cellsOf, fieldOf, type Grouping, type Swim } from "./board-cells.ts";
import { Card, CARD, type CardActions } from "./card.tsx";
import { CardMenu } from "./card-menu.tsx";
import { LaneHead } from "./lane-head.tsx";
import { QuickAdd } from "../issues/quick-add.tsx";
import { useAutoScroll } from "./use-auto-scroll.ts";
import { useBoardKeys } from "./use-board-keys.ts";
import { useBoardMoves } from "./use-board-moves.ts";
import { useCollapsedLanes } from "./use-collapsed-lanes.ts";

/** How many cards of each cell the first frame renders: more than fit into most windows. */
const FIRST_CARDS = 16;

type Props = {
  project: Project;
  lanes: readonly Lane[];
  /** All issues of the project, by rank. */
  issues: readonly Issue[];
  /** Those that match the filters. */
  visible: readonly Issue[];
  grouping: Grouping | undefined;
  swims: readonly Swim[];
  issueNames: IssueNames;
  /** Fields of a new card, so that it matches the filters. */
  newFields: Partial<NewIssue>;
  /** Shown below the swim lanes. */
  footer: ReactNode;
};

/** Lanes as columns, swim lanes as rows, and the cards in them. */
export function Board({
  project,
  lanes,
  issues,
  visible,
  grouping,
  swims,
  issueNames,
  newFields,
  footer,
}: Props) {
  const movable = can(project, "issues:update");
  const [showAllDone, setShowAllDone] = useState(false);
  const [now] = useState(() => Date.now());
  const [menu, setMenu] = useState<{ id: number; anchor: HTMLElement }>();
  const cells = useMemo(
    () => cellsOf(lanes, swims, visible, { grouping, showAllDone, now }),
    [lanes, swims, visible, grouping, showAllDone, now],
  );
  const byId = useMemo(() => new Map(issues.map((issue) => [issue.id, issue])), [issues]);
  const labels = useMemo(() => new Map(issueNames.labels.map((label) => [label.id, label])), [issueNames]);
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
  useAutoScroll(CARD);
  const region = useRef<HTMLDivElement>(null);
  useImperativeHandle(keys.list.handle, () => ({
    contains: (element) => region.current?.contains(element) ?? false,
    focusRow: (id, { scroll } = { scroll: true }) =>
      region.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus({ preventScroll: !scroll }),
    scrollToTop: () => region.current?.scrollTo({ top: 0 }),
  }));

  const handlers: CardActions = {
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
  };
  const actions = useLatest(handlers);
  const stacked = grouping !== undefined;
  const isFirstFramePainted = useFirstFramePainted();
  const open = menu && byId.get(menu.id);

  const cardsOf = ({ id: cell }: Cell) => {
    const cards = lift.lists.find(({ id }) => id === cell)?.items ?? [];
    if (isFirstFramePainted) return cards;
    // The tab stop takes the focus on return to the board.
    return cards.slice(0, Math.max(FIRST_CARDS, cards.indexOf(String(keys.list.tabStop)) + 1));
  };
  const dropAtEnd = (dragged: string, { id }: Cell) => moves.moveToEnd(dragged, id);
  const renderCell = (cell: Cell) =>
    collapsed.has(cell.lane.id) ? (
      <CollapsedCell key={cell.id} cell={cell} onDropAtEnd={dropAtEnd} />
    ) : (
      <BoardCell
        key={cell.id}
        cell={cell}
        stacked={stacked}
        onDropAtEnd={dropAtEnd}
        onShowAll={() => setShowAllDone(true)}
        end={
          can(project, "issues:create") && (
            <QuickAdd
              projectId={project.id}
              name={cell.name}
              fields={{
                ...newFields,
                ...(grouping === undefined ? {} : { [fieldOf(grouping)]: cell.swim.id }),
                lane_id: cell.lane.id,
              }}
            />
          )
        }
      >
        {cardsOf(cell).map((id) => {
          const issue = byId.get(Number(id));
          if (issue === undefined) return null;
          return (
            <Card
              key={id}
              issue={issue}
              projectKey={project.key}
              labels={labels}
              assignee={issueNames.person(issue.assignee_id)}
              epic={grouping === "epic" ? undefined : issueNames.epicTitle(issue.epic_id)}
              blocked={isBlocked(issue, byId)}
              lifted={lift.lifted?.id === id}
              tabbable={keys.list.tabStop === issue.id}
              movable={movable}
              actions={actions}
            />
          );
        })}
      </BoardCell>
    );

  return (
    <div
      ref={region}
      role="region"
      aria-label="Board"
      className={cx(
        "relative min-h-0 flex-1 snap-x snap-proximity scroll-px-4 overflow-x-auto max-sm:snap-mandatory",
        stacked ? "overflow-y-auto" : "overflow-y-hidden",
        // Snapping would undo the small steps of scrolling while a card is dragged.
        "has-data-dragging:snap-none short:flex-none",
      )}
    >
      <RowMotion region={region} order={lift.lists} kind="issue" />
      <div className={cx("flex w-max min-w-full flex-col px-4 pb-3", !stacked && "h-full min-h-0")}>
        <div className="sticky top-0 z-2 flex gap-3 bg-canvas">
          {lanes.map((lane) => (
            <LaneHead
              key={lane.id}
              lane={lane}
              issues={issues}
              visible={visible}
              collapsed={collapsed.has(lane.id)}
              onToggle={() => toggle(lane.id)}
            />
          ))}
        </div>
        {swims.map((swim) => (
          <Fragment key={swim.key}>
            {stacked && (
              <h3 dir="auto" className="sticky start-3 w-fit max-w-[80vw] truncate pt-3 pb-1 font-semibold">
                {swim.name}
              </h3>
            )}
            <div className={cx("flex gap-3", !stacked && "min-h-0 flex-1")}>
              {cells.filter((cell) => cell.swim.key === swim.key).map(renderCell)}
            </div>
          </Fragment>
        ))}
        {footer}
      </div>
      {menu && open && (
        <CardMenu
          issue={open}
          projectKey={project.key}
          anchor={menu.anchor}
          cells={cells}
          moves={moves}
          onPick={(field) => {
            // The menu returns the focus first.
            requestAnimationFrame(() => keys.openPick(field, open));
          }}
          onClose={() => {
            keys.list.setCursor(open.id);
            setMenu(undefined);
          }}
        />
      )}
      {keys.pick && <QuickPick pick={keys.pick} onChange={keys.change} onClose={keys.closePick} />}
    </div>
  );
}

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
