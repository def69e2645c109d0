import { type KeyboardEvent, useMemo, useState } from "react";
import { type Lifted, type Lists, type ListPosition, pressed, previewOf } from "./lift.ts";
import { announce } from "../kit/notices/live-region.ts";

/**
 * Moves items by keyboard within and between lists. Render the returned `lists`, which have the lifted item at its
 * current position, and spread `itemProps(id)` on the focusable element of each item.
 */
export function useLift(lists: Lists, onMove: (id: string, to: ListPosition) => void) {
  const [lifted, setLifted] = useState<Lifted | null>(null);
  // The lifted item may have been deleted.
  const current = lifted !== null && lists.some(({ items }) => items.includes(lifted.id)) ? lifted : null;

  const itemProps = (id: string) => ({
    "aria-description": current?.id === id ? "Lifted" : "Press Space to lift",
    "data-lifted": current?.id === id || undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
      const step = pressed(current, event.key, current?.id ?? id, lists);
      if (!step.handled) return;
      event.preventDefault();
      event.stopPropagation();
      setLifted(step.lifted);
      if (step.say !== undefined) announce(step.say);
      if (step.move !== undefined) onMove(step.move.id, step.move.to);
    },
    onBlur: () => {
      // An item that moves to another list is mounted again and regains the focus. Otherwise the lift is canceled.
      if (current?.id === id) setTimeout(() => setLifted((now) => (stillFocused(id) ? now : null)), 0);
    },
    "data-lift-id": id,
  });
  const shown = useMemo(() => previewOf(lists, current), [lists, current]);
  return { lists: shown, lifted: current, itemProps };
}

/** Focuses a lifted item that was mounted again: `useEffect(() => focusLifted(lifted?.id), [lifted])`. */
export function focusLifted(id: string | undefined): void {
  if (id === undefined || stillFocused(id)) return;
  document.querySelector<HTMLElement>(`[data-lift-id="${CSS.escape(id)}"]`)?.focus();
}

function stillFocused(id: string): boolean {
  return document.activeElement?.getAttribute("data-lift-id") === id;
}
