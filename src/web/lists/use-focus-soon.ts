import { type RefObject, useEffect, useState } from "react";
import type { ListHandle } from "./virtual-list.tsx";

type Shown = {
  rows: readonly { id: number }[];
  /** What the address says is open beside the list. */
  opened: string | undefined;
};

type Wanted = { id: number | undefined; ready: (shown: Shown) => boolean };

type Options = Shown & {
  list: RefObject<ListHandle | null>;
  /** The id of the element that has the focus where no row is in sight: the title of what is open, the words of an empty list. */
  standIn: string | undefined;
};

/**
 * Gives a row the focus once the list is as it will be: `focusSoon(id, ready)`. Without `ready` that is at once. Whoever
 * writes, or answers a dialog, keeps the focus; whoever has moved on by themselves is not called back: `forget`.
 */
export function useFocusSoon({ list, rows, opened, standIn }: Options) {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  useEffect(() => {
    if (wanted === null || !wanted.ready({ rows, opened })) return;
    let isLatest = true;
    // A dialog that has just closed gives the focus back in a microtask of its own, queued before this one.
    queueMicrotask(() => {
      if (!isLatest) return;
      setWanted(null);
      if (document.activeElement?.closest(KEEPS_FOCUS)) return;
      const index = rows.findIndex(({ id }) => id === wanted.id);
      if (index !== -1) list.current?.focusIndex(index);
      if ((index === -1 || !isSeen(index)) && standIn !== undefined)
        document.getElementById(standIn)?.focus({ preventScroll: true });
    });
    return () => void (isLatest = false);
  }, [wanted, rows, opened, list, standIn]);
  return {
    focusSoon: (id: number | undefined, ready: Wanted["ready"] = () => true) => setWanted({ id, ready }),
    forget: () => setWanted(null),
  };
}

const KEEPS_FOCUS =
  "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog]";

/** Rendered, and not in a list that a narrow screen hides. */
const isSeen = (index: number) =>
  document.querySelector(`[data-index="${index}"]`)?.checkVisibility() ?? false;
