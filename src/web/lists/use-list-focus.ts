import { type RefObject, useEffect, useRef, useState } from "react";
import { cursorOf, type ListState, type RowId } from "./list-state.ts";

/** What a list renders for its focus; `VirtualList` provides it. */
export type ListHandle = {
  contains: (element: Element) => boolean;
  /** Focuses a row, and scrolls it into view unless told not to. */
  focusRow: (id: RowId, options?: { scroll: boolean }) => void;
  scrollToTop: () => void;
};

/** Ids of the elements to focus where no row can be: the title of what is open, the message of an empty list. */
export type FocusFallback = { opened: string; empty: string };

type Options = {
  handle: RefObject<ListHandle | null>;
  state: ListState;
  fallback: FocusFallback | undefined;
};

/**
 * Restores the focus of a list. `focusWhen(ready)` focuses the row of the cursor once the list looks as expected, for
 * example when the handled rows are gone. Apart from that, when the focused row disappears, or a layer that was opened
 * from the list closes without handing the focus back, the row of the cursor takes the focus, or the fallback.
 */
export function useListFocus({ handle, state, fallback }: Options) {
  const [ready, setReady] = useState<{ when: (state: ListState) => boolean } | null>(null);
  const wasInList = useFocusInList(handle);
  const fallbackId = state.opened === null ? fallback?.empty : fallback?.opened;

  useEffect(() => {
    if (ready === null || !ready.when(state)) return;
    let isLatest = true;
    // A dialog that has just closed returns the focus in a microtask queued before this one.
    queueMicrotask(() => {
      if (!isLatest) return;
      setReady(null);
      if (document.activeElement?.closest(KEEPS_FOCUS)) return;
      const cursor = cursorOf(state);
      if (cursor !== null) handle.current?.focusRow(cursor);
      if ((cursor === null || !isVisible(cursor)) && fallbackId !== undefined)
        document.getElementById(fallbackId)?.focus({ preventScroll: true });
    });
    return () => void (isLatest = false);
  }, [ready, state, handle, fallbackId]);

  useEffect(() => {
    if (ready !== null) return;
    const cursor = cursorOf(state);
    queueMicrotask(() => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (!isLost || !wasInList.current) return;
      if (cursor !== null) handle.current?.focusRow(cursor, { scroll: false });
      else if (fallbackId !== undefined) document.getElementById(fallbackId)?.focus({ preventScroll: true });
    });
  });

  return {
    focusWhen: (when: (state: ListState) => boolean = () => true) => setReady({ when }),
    cancelFocus: () => setReady(null),
  };
}

/** Whether the focus was in the list last; layers above the list, such as its menus and dialogs, do not count. */
function useFocusInList(handle: RefObject<ListHandle | null>) {
  const inList = useRef(false);
  useEffect(() => {
    const isPart = (target: Element) =>
      handle.current?.contains(target) === true || target.closest("[data-list-part]") !== null;
    const onFocus = ({ target }: Event) => {
      if (target instanceof Element && target.closest(LAYER) === null) inList.current = isPart(target);
    };
    // Pressing where nothing can take the focus removes it on purpose.
    const onPress = ({ target }: Event) => {
      if (target instanceof Element && target.closest(FOCUSABLE) === null) inList.current = false;
    };
    document.addEventListener("focusin", onFocus);
    document.addEventListener("pointerdown", onPress);
    return () => {
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("pointerdown", onPress);
    };
  }, [handle]);
  return inList;
}

const LAYER = "[data-base-ui-portal], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]";
const FOCUSABLE = `a, button, input, label, textarea, select, [tabindex], ${LAYER}`;
const KEEPS_FOCUS =
  "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog]";

/** A narrow screen hides the list while something is open. */
const isVisible = (id: RowId) => document.querySelector(`[data-row="${id}"]`)?.checkVisibility() ?? false;
