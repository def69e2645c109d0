import { type KeyboardEvent, useMemo, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { useBulkChange } from "../data/issues/use-bulk-change.ts";
import type { Pick, PickField } from "../issues/quick-pick.tsx";
import { useCommand } from "../keys/commands.ts";
import { useProfile } from "../data/account/session.ts";
import type { Lists } from "../lists/lift.ts";
import { useList } from "../lists/use-list.ts";
import { useStepKeys } from "../lists/use-list-keys.ts";
import { arrowTarget, isArrow } from "./arrow-target.ts";
import type { useBoardMoves } from "./use-board-moves.ts";

type Options = {
  /** As shown. */
  lists: Lists;
  byId: ReadonlyMap<number, Issue>;
  movable: boolean;
  moves: ReturnType<typeof useBoardMoves>;
};

/** The cards as one list, lane after lane: its cursor and focus, and the keys that move and change a card. */
export function useBoardKeys({ lists, byId, movable, moves }: Options) {
  const me = useProfile().id;
  const bulk = useBulkChange();
  const [pick, setPick] = useState<Pick>();
  const rows = useMemo(
    () => lists.flatMap(({ items }) => items.flatMap((id) => byId.get(Number(id)) ?? [])),
    [lists, byId],
  );
  const list = useList({ rows });
  const issue = list.current;

  const onArrow = (id: number, event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !isArrow(event.key)) return;
    event.preventDefault();
    const target = arrowTarget(lists, String(id), event.key);
    if (target !== undefined) list.moveTo(Number(target));
  };
  const openPick = (field: PickField, of = issue) => {
    const anchor = of && document.querySelector<HTMLElement>(`[data-row="${of.id}"]`);
    if (of && anchor) setPick({ field, issues: [of], anchor });
  };
  const shift = (by: 1 | -1) => {
    const place = issue && moves.placeOf(String(issue.id));
    const count = place ? moves.itemsIn(place.list).length : 0;
    if (!place || place.index + by < 0 || place.index + by >= count) return;
    moves.moveAndAnnounce(String(issue.id), { list: place.list, index: place.index + by });
    list.focusWhen();
  };

  const changeable = { enabled: movable && issue !== undefined && pick === undefined };
  useStepKeys(list, "issue");
  useCommand("moveUp", () => shift(-1), changeable);
  useCommand("moveDown", () => shift(1), changeable);
  useCommand("lane", () => openPick("lane"), changeable);
  useCommand("priority", () => openPick("priority"), changeable);
  useCommand("assign", () => openPick("assignee"), changeable);
  useCommand("label", () => openPick("label"), changeable);
  useCommand("assignMe", () => issue && void bulk.change([issue], () => ({ assignee_id: me })), changeable);

  return {
    list,
    onArrow,
    pick,
    openPick,
    closePick: () => setPick(undefined),
    change: bulk.change,
  };
}
