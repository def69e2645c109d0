import { writeHeld } from "./held-keys.ts";

/**
 * Focuses an element of a popup that just opened, for the library's `initialFocus`. The library would wait for a
 * frame, and keys typed until then would go to the page. Without an element, the library chooses.
 */
export function takeFocus(element: HTMLElement | null | undefined): boolean {
  if (!element) return true;
  element.focus();
  writeHeld(element);
  // A menu that opened the popup may return the focus to its button after this.
  queueMicrotask(() => {
    if (!element.closest(LAYER)?.contains(document.activeElement)) element.focus();
  });
  return false;
}

export const LAYER = "[role=dialog], [role=alertdialog]";
