import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { useBulkChange } from "../issues/use-bulk-change.ts";
import type { Pick, PickField } from "../issues/quick-pick.tsx";
import { useCommand } from "../keys/commands.ts";
import { useProfile } from "../data/session.ts";
import type { Lists } from "../lists/lift.ts";
import type { useBoardMoves } from "./use-board-moves.ts";

/** For how long after a move or a change the focus follows the card, which may be mounted anew. */
const FOLLOW_MS = 1_500;

type Options = {
  /** As they are shown. */
  lists: Lists;
  byId: ReadonlyMap<number, Issue>;
  movable: boolean;
  moves: ReturnType<typeof useBoardMoves>;
};

/** Which card has the focus, how the keys carry it on, and what they do to the card. */
export function useBoardKeys({ lists, byId, movable, moves }: Options) {
  const me = useProfile().id;
  const bulk = useBulkChange();
  const [active, setActive] = useState<number>();
  const [pick, setPick] = useState<Pick>();
  const followUntil = useRef(0);

  const shown = lists.flatMap(({ items }) => items);
  const tabbable = shown.includes(String(active)) ? active : Number(shown[0]);
  const issue = active === undefined ? undefined : byId.get(active);

  const follow = () => {
    followUntil.current = performance.now() + FOLLOW_MS;
  };
  useEffect(() => {
    if (active === undefined || pick !== undefined || performance.now() > followUntil.current) return;
    if (document.activeElement === null || document.activeElement === document.body) cardOf(active)?.focus();
  });

  const step = (direction: 1 | -1) => {
    const inBoard = document.activeElement?.hasAttribute("data-lift-id") ?? false;
    const next = inBoard ? shown[shown.indexOf(String(active)) + direction] : String(tabbable);
    if (next !== undefined) cardOf(next)?.focus();
  };
  /** Arrows go to the neighbouring card; ← and → to the next lane that has one. */
  const onArrow = (id: number, event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const here = lists.findIndex(({ items }) => items.includes(String(id)));
    const index = lists[here]?.items.indexOf(String(id)) ?? -1;
    const sideways = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const down = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (index === -1 || (sideways === 0 && down === 0)) return;
    event.preventDefault();
    if (down !== 0) {
      cardOf(lists[here]?.items[index + down])?.focus();
      return;
    }
    for (let at = here + sideways; at >= 0 && at < lists.length; at += sideways) {
      const items = lists[at]?.items ?? [];
      const target = items[Math.min(index, items.length - 1)];
      if (target !== undefined) {
        cardOf(target)?.focus();
        return;
      }
    }
  };
  const openPick = (field: PickField, of = issue) => {
    const anchor = of && cardOf(of.id);
    if (of && anchor) setPick({ field, issues: [of], anchor });
  };
  const shift = (by: 1 | -1) => {
    const place = moves.placeOf(String(active));
    const count = place ? moves.itemsIn(place.list).length : 0;
    if (!place || place.index + by < 0 || place.index + by >= count) return;
    follow();
    moves.moveAndSay(String(active), { list: place.list, index: place.index + by });
  };

  const works = { enabled: movable && issue !== undefined && pick === undefined };
  useCommand("next", () => step(1), { enabled: shown.length > 0 });
  useCommand("previous", () => step(-1), { enabled: shown.length > 0 });
  useCommand("moveUp", () => shift(-1), works);
  useCommand("moveDown", () => shift(1), works);
  useCommand("lane", () => openPick("lane"), works);
  useCommand("priority", () => openPick("priority"), works);
  useCommand("assign", () => openPick("assignee"), works);
  useCommand("label", () => openPick("label"), works);
  useCommand("assignMe", () => issue && void bulk.change([issue], () => ({ assignee_id: me })), works);

  return {
    tabbable,
    activate: setActive,
    onArrow,
    follow,
    pick,
    openPick,
    closePick: () => {
      follow();
      setPick(undefined);
    },
    change: bulk.change,
  };
}

function cardOf(id: number | string | undefined): HTMLElement | null {
  return id === undefined
    ? null
    : document.querySelector<HTMLElement>(`[data-lift-id="${CSS.escape(String(id))}"]`);
}
