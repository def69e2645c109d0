import { useMemo, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { useUpdateIssue } from "../data/issues/issues.ts";
import { useMoveIssue } from "../data/issues/move-issue.ts";
import { indexAtEdge, type Lifted, type ListPosition, previewOf } from "../lists/lift.ts";
import { announce } from "../kit/notices/live-region.ts";
import { beginChange } from "../kit/notices/toast.ts";
import type { DropEdge } from "../lists/use-drop-target.ts";
import { type Cell, fieldOf, type Grouping } from "./board-cells.ts";
import { placeInLane } from "./place-in-lane.ts";

type Options = {
  projectId: number;
  cells: readonly Cell[];
  /** All issues of the project by rank, because hidden ones have positions too. */
  issues: readonly Issue[];
  grouping: Grouping | undefined;
};

/**
 * Moves cards. `lists` are the cells with the card that was moved last at its new position, until the server responds;
 * if the move fails, the card returns and a toast says why. A move to another swim lane also changes the field that the
 * board is grouped by.
 */
export function useBoardMoves({ projectId, cells, issues, grouping }: Options) {
  const move = useMoveIssue(projectId);
  const update = useUpdateIssue(projectId);
  const [pending, setPending] = useState<Lifted | null>(null);
  const lists = useMemo(() => previewOf(cells, pending), [cells, pending]);
  const itemsIn = (list: string) => lists.find(({ id }) => id === list)?.items ?? [];

  const moveTo = (id: string, to: ListPosition) => {
    const cell = cells.find((one) => one.id === to.list);
    const issue = issues.find((one) => String(one.id) === id);
    if (cell === undefined || issue === undefined) return;
    const lane = issues.filter(({ lane_id }) => lane_id === cell.lane.id).map((one) => one.id);
    const neighbors = placeInLane(lane, itemsIn(to.list).map(Number), issue.id, to.index);
    setPending({ id, from: to, at: to });
    const swims = grouping !== undefined && issue[fieldOf(grouping)] !== cell.swim.id;
    const change = beginChange(swims ? 2 : 1);
    if (swims) update.mutate({ id: issue.id, changes: { [fieldOf(grouping)]: cell.swim.id }, change });
    move.mutate(
      { id: issue.id, lane_id: cell.lane.id, ...neighbors, change },
      { onSettled: () => setPending((now) => (now?.id === id ? null : now)) },
    );
  };
  /** Also announces the move; `useLift` makes its own announcements. */
  const moveAndAnnounce = (id: string, to: ListPosition) => {
    const cell = cells.find((one) => one.id === to.list);
    const others = itemsIn(to.list).filter((item) => item !== id).length;
    moveTo(id, to);
    announce(`Moved to position ${to.index + 1} of ${others + 1} in ${cell?.name ?? ""}.`);
  };
  const placeOf = (id: string): ListPosition | undefined => {
    const list = lists.find(({ items }) => items.includes(id));
    return list && { list: list.id, index: list.items.indexOf(id) };
  };
  return {
    lists,
    moveTo,
    moveAndAnnounce,
    placeOf,
    itemsIn,
    moveToEnd: (id: string, list: string) =>
      moveAndAnnounce(id, { list, index: itemsIn(list).filter((item) => item !== id).length }),
    dropOnto: (id: string, onto: string, edge: DropEdge) => {
      const place = placeOf(onto);
      if (place)
        moveAndAnnounce(id, { list: place.list, index: indexAtEdge(itemsIn(place.list), id, onto, edge) });
    },
  };
}
