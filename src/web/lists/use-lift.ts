import { type KeyboardEvent, useMemo, useState } from "react";
import { type Lifted, type Lists, type Place, pressed, previewOf } from "./lift.ts";
import { announce } from "../kit/live-region.tsx";

/**
 * Moving by keyboard within and between lists. Show `lists` as they come back: they have the lifted thing where it
 * hangs. Put `itemProps(id)` on each thing's focusable element.
 */
export function useLift(lists: Lists, onMove: (id: string, to: Place) => void) {
  const [lifted, setLifted] = useState<Lifted | null>(null);
  // What was deleted meanwhile is no longer held.
  const held = lifted !== null && lists.some(({ items }) => items.includes(lifted.id)) ? lifted : null;

  const itemProps = (id: string) => ({
    "aria-description": held?.id === id ? "Lifted" : "Space lifts it",
    "data-lifted": held?.id === id || undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
      const step = pressed(held, event.key, held?.id ?? id, lists);
      if (!step.handled) return;
      event.preventDefault();
      event.stopPropagation();
      setLifted(step.lifted);
      if (step.say !== undefined) announce(step.say);
      if (step.move !== undefined) onMove(step.move.id, step.move.to);
    },
    onBlur: () => {
      // A thing that moves to another list is mounted anew and takes the focus back; only then it stays lifted.
      if (held?.id === id) setTimeout(() => setLifted((now) => (stillFocused(id) ? now : null)), 0);
    },
    "data-lift-id": id,
  });
  const shown = useMemo(() => previewOf(lists, held), [lists, held]);
  return { lists: shown, lifted: held, itemProps };
}

/** Gives the focus back to a lifted thing that was mounted anew: `useEffect(() => focusLifted(lifted?.id), [lifted])`. */
export function focusLifted(id: string | undefined): void {
  if (id === undefined || stillFocused(id)) return;
  document.querySelector<HTMLElement>(`[data-lift-id="${CSS.escape(id)}"]`)?.focus();
}

function stillFocused(id: string): boolean {
  return document.activeElement?.getAttribute("data-lift-id") === id;
}
