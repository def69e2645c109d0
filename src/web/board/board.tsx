import { Fragment, type ReactNode, useMemo } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Label } from "../../shared/labels.ts";
import type { Lane } from "../../shared/lanes.ts";
import type { Project } from "../../shared/projects.ts";
import { isBlocked } from "../issues/blocked.ts";
import type { NewIssue } from "../data/issues/create-issue.ts";
import { QuickPick } from "../issues/lazy-quick-pick.tsx";
import type { IssueNames } from "../data/projects/use-issue-names.ts";
import { can } from "../data/projects/projects.ts";
import { cx } from "../kit/cx.ts";
import { RowMotion } from "../lists/row-motion.ts";
import { useRegionHandle } from "../lists/use-region-handle.ts";
import { BoardCell, CollapsedCell } from "./board-cell.tsx";
import { type Cell, fieldOf, type Grouping, type Swim } from "./board-cells.ts";
import { Card, CARD } from "./card.tsx";
import { CardMenu } from "./card-menu.tsx";
import { LaneHead } from "./lane-head.tsx";
import { QuickAdd } from "../issues/quick-add.tsx";
import { useAutoScroll } from "./use-auto-scroll.ts";
import { type BoardState, useBoard } from "./use-board.ts";
import { useCardsInReach } from "./use-cards-in-reach.ts";

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
export function Board(props: Props) {
  const { project, lanes, issues, visible, grouping, swims, issueNames, footer } = props;
  const board = useBoard(props);
  const { cells, collapsed, keys, lift } = board;
  const labels = useMemo(() => new Map(issueNames.labels.map((label) => [label.id, label])), [issueNames]);
  useAutoScroll(CARD);
  const region = useRegionHandle(keys.list.handle);
  const stacked = grouping !== undefined;
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
              onToggle={() => board.toggle(lane.id)}
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
              {cells
                .filter((cell) => cell.swim.key === swim.key)
                .map((cell) => (
                  <LaneOfSwim key={cell.id} {...props} board={board} cell={cell} labels={labels} />
                ))}
            </div>
          </Fragment>
        ))}
        {footer}
      </div>
      <MenuOfCard project={project} board={board} />
      {keys.pick && <QuickPick pick={keys.pick} onChange={keys.change} onClose={keys.closePick} />}
    </div>
  );
}

type LaneProps = Pick<Props, "project" | "grouping" | "issueNames" | "newFields"> & {
  board: BoardState;
  cell: Cell;
  labels: ReadonlyMap<number, Label>;
};

/** A lane in one swim lane. */
function LaneOfSwim(props: LaneProps) {
  const { board, cell } = props;
  const dropAtEnd = (dragged: string, { id }: Cell) => board.moves.moveToEnd(dragged, id);
  if (board.collapsed.has(cell.lane.id)) return <CollapsedCell cell={cell} onDropAtEnd={dropAtEnd} />;
  return <OpenLane {...props} onDropAtEnd={dropAtEnd} />;
}

type OpenLaneProps = LaneProps & { onDropAtEnd: (dragged: string, cell: Cell) => void };

/** The cards of a lane in one swim lane. */
function OpenLane({
  project,
  grouping,
  issueNames,
  newFields,
  board,
  cell,
  labels,
  onDropAtEnd,
}: OpenLaneProps) {
  const { byId, keys, lift } = board;
  const cards = board.cardsOf(cell);
  // The tab stop takes the focus on return to the board.
  const { shown, rest, end } = useCardsInReach(cards, cards.indexOf(String(keys.list.tabStop)));
  const fields = {
    ...newFields,
    ...(grouping === undefined ? {} : { [fieldOf(grouping)]: cell.swim.id }),
    lane_id: cell.lane.id,
  };
  return (
    <BoardCell
      cell={cell}
      stacked={grouping !== undefined}
      onDropAtEnd={onDropAtEnd}
      onShowAll={board.showAll}
      rest={rest}
      restRef={end}
      end={
        can(project, "issues:create") && <QuickAdd projectId={project.id} name={cell.name} fields={fields} />
      }
    >
      {shown.map((id) => {
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
            movable={board.movable}
            actions={board.actions}
          />
        );
      })}
    </BoardCell>
  );
}

/** The menu of the card that was clicked. */
function MenuOfCard({ project, board }: { project: Project; board: BoardState }) {
  const { menu, setMenu, keys } = board;
  const issue = menu && board.byId.get(menu.id);
  if (menu === undefined || issue === undefined) return null;
  return (
    <CardMenu
      issue={issue}
      projectKey={project.key}
      anchor={menu.anchor}
      cells={board.cells}
      moves={board.moves}
      onPick={(field) => {
        // The menu returns the focus first.
        requestAnimationFrame(() => keys.openPick(field, issue));
      }}
      onClose={() => {
        keys.list.setCursor(issue.id);
        setMenu(undefined);
      }}
    />
  );
}
