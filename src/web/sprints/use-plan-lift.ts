import { type KeyboardEvent, useEffect, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { announce } from "../kit/notices/live-region.ts";
import { focusLifted } from "../lists/use-lift.ts";

export type Side = "backlog" | "sprint";

type Lifted = { id: number; ids: readonly number[]; from: Side; at: Side };

type Options = {
  names: Record<Side, string>;
  sideOf: (issue: Issue) => Side;
  /** What moves together with an issue: the selected ones if it is one of them. */
  withSelected: (issue: Issue) => readonly Issue[];
  onMove: (ids: readonly number[], to: Side) => void;
};

/**
 * Moves issues between the backlog and the sprint by keyboard: Space lifts and drops, ← and → move, Escape cancels. As
 * on the board, but without positions, because both lists are in the order of the lanes.
 */
export function usePlanLift({ names, sideOf, withSelected, onMove }: Options) {
  const [lifted, setLifted] = useState<Lifted | null>(null);
  useEffect(() => focusLifted(lifted === null ? undefined : String(lifted.id)), [lifted]);
  const what = ({ ids }: Lifted) => (ids.length === 1 ? "1 issue" : `${ids.length} issues`);

  const onKeyDown = (issue: Issue, event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
    const next = pressed(issue, event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setLifted(next);
  };

  /** The state after a key; undefined if the key is not used. */
  const pressed = (issue: Issue, key: string): Lifted | null | undefined => {
    if (lifted === null) {
      if (key !== " ") return undefined;
      const ids = withSelected(issue).map(({ id }) => id);
      const begun = { id: issue.id, ids, from: sideOf(issue), at: sideOf(issue) };
      announce(
        `Lifted ${what(begun)} from ${names[begun.from]}. Use the left and right arrow keys to move, Space to drop, Escape to cancel.`,
      );
      return begun;
    }
    if (key === " " || key === "Enter") {
      announce(`Dropped ${what(lifted)} in ${names[lifted.at]}.`);
      if (lifted.at !== lifted.from) onMove(lifted.ids, lifted.at);
      return null;
    }
    if (key === "Escape") {
      announce(`Move canceled. Back in ${names[lifted.from]}.`);
      return null;
    }
    const at = key === "ArrowLeft" ? "backlog" : key === "ArrowRight" ? "sprint" : undefined;
    if (at === undefined) return key === "Tab" || key.startsWith("Arrow") ? lifted : undefined;
    if (at !== lifted.at) announce(`In ${names[at]}.`);
    return { ...lifted, at };
  };

  const onBlur = (id: number) => {
    if (lifted?.id !== id) return;
    // An item that moves to the other list is mounted again and regains the focus. Otherwise the lift is canceled.
    setTimeout(() => {
      if (document.activeElement?.getAttribute("data-lift-id") !== String(id)) setLifted(null);
    });
  };
  return { lifted, onKeyDown, onBlur };
}
