import { writeHeld } from "./held-keys.ts";

/**
 * Gives an element of what has just opened the focus, for the library's `initialFocus`. At once: the library would wait
 * for a frame, and what is typed until then would go to the page. Without an element it is left to the library.
 */
export function takeFocus(element: HTMLElement | null | undefined): boolean {
  if (!element) return true;
  element.focus();
  writeHeld(element);
  // A menu that it was opened from gives the focus back to its button, perhaps after this.
  queueMicrotask(() => {
    if (!element.closest(LAYER)?.contains(document.activeElement)) element.focus();
  });
  return false;
}

const LAYER = "[role=dialog], [role=alertdialog]";
