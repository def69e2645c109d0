import type { FocusEvent } from "react";

/**
 * Calls back when the focus has left a field for something else in the page; switching to another window is not
 * leaving. Waits until the mouse is released: closing the field moves what is below it, and the click would miss.
 */
export function whenLeft({ currentTarget, relatedTarget }: FocusEvent, leave: () => void): void {
  if (!document.hasFocus() || currentTarget.contains(relatedTarget)) return;
  if (document.querySelector(":active") === null) return leave();
  const stop = new AbortController();
  const released = () => {
    stop.abort();
    // After the click.
    setTimeout(leave);
  };
  for (const type of ["mouseup", "dragend"])
    document.addEventListener(type, released, { capture: true, signal: stop.signal });
}
